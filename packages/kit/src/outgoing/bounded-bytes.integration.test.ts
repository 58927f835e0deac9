import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { boundedText } from './bounded-bytes.js'
import { boundedFetch } from './bounded-fetch.js'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const answers = new Set<ServerResponse>()
let server: Server
let url: string
beforeAll(async () => {
  // Its answers begin, and never end.
  server = createServer((_, response) => {
    answers.add(response)
    response.on('close', () => answers.delete(response))
    response.writeHead(200).write('{"success"')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close().closeAllConnections())

const MOST = 1_000
/** Ends what hangs. A signal that is kept waits for much less. */
const HUNG_MS = 10_000

it.each<[string, (signal: AbortSignal) => Promise<unknown>]>([
  [
    'where redirects are an error',
    async (signal) => boundedText(await fetch(url, { redirect: 'error', signal }), MOST, signal),
  ],
  [
    'where it is one of several signals',
    async (one) => {
      const signal = AbortSignal.any([one, new AbortController().signal])
      return await boundedText(await fetch(url, { signal }), MOST, signal)
    },
  ],
  ['of a bounded fetch', async (one) => boundedFetch()(url, { signal: AbortSignal.any([one]) })],
  ['of a request', async (signal) => boundedFetch()(new Request(url, { signal }))],
])(
  'a body that does not end is left when its signal says so, whatever was collected meanwhile: %s',
  async (_, read) => {
    const late = new AbortController()
    const reading = read(late.signal)
    reading.catch(() => {})
    while (answers.size === 0) await pause(5)
    await pause(50)
    collectGarbage()
    await pause(50)
    late.abort(new Error('too late'))
    await expect(reading).rejects.toThrow('too late')
    while (answers.size > 0) await pause(5)
  },
  HUNG_MS,
)

it('reads nothing where the signal came first', async () => {
  const { body } = new Response('words')
  await expect(boundedText({ body }, MOST, AbortSignal.abort(new Error('too late')))).rejects.toThrow(
    'too late',
  )
})

it('reads what is within its bounds, and nothing of what has no body', async () => {
  expect(await boundedText(new Response('é'.repeat(500)), MOST)).toBe('é'.repeat(500))
  await expect(boundedText(new Response('é'.repeat(501)), MOST)).rejects.toThrow(RangeError)
  expect(await boundedText(new Response(null), MOST)).toBe('')
})
