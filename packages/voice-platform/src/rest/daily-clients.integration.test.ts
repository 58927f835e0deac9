import { createRequire } from 'node:module'
import type { Db } from '@heyline/database'
import { ManualClock } from '@heyline/kit/manual-clock'
import { PlatformClient } from '@heyline/platform-client'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { KEYS, type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'

/** The part of `@vapi-ai/web` that asks for a call. */
interface VapiClient {
  client: {
    baseUrl: string
    customFetch: typeof fetch
    setSecurityData(key: string): void
    call: { callControllerCreateWebCall(body: object): Promise<{ data: { id: string } }> }
  }
}
const { client: vapi }: VapiClient = createRequire(import.meta.url)('@vapi-ai/web/dist/client')

const PAGE = 'https://pages.example'
let db: Db
let bench: PlatformBench
let clock: ManualClock
let assistantId: string
let log: Record<string, unknown>[]
beforeAll(async () => {
  db = await openPlatformDb()
})
afterAll(() => db.close())
beforeEach(async () => {
  clock = new ManualClock()
  log = []
  const logger = pino({}, { write: (line: string) => log.push(JSON.parse(line)) })
  bench = await startPlatform(db, { allowedOrigins: [PAGE], clock, logger })
  assistantId = (await bench.client.assistants.create({ name: 'Baker' })).id
})
afterEach(() => bench.close())

/** What a browser adds for a page's script. */
const fromPage: typeof fetch = (input, init) => {
  const headers = new Headers(init?.headers)
  headers.set('origin', PAGE)
  if (!headers.has('accept')) headers.set('accept', '*/*')
  return bench.platform.fetch(new Request(input, { ...init, headers }))
}
const askAsVapi = async () => {
  Object.assign(vapi, { baseUrl: 'http://platform', customFetch: fromPage })
  vapi.setSecurityData(KEYS.public)
  return (await vapi.call.callControllerCreateWebCall({ assistantId })).data.id
}
const warnings = () => log.filter(({ level }) => level === 40)

it('a page with @vapi-ai/web is told of in the log, once a minute', async () => {
  const callId = await askAsVapi()
  expect(warnings()).toMatchObject([
    { callId, origin: PAGE, msg: expect.stringMatching(/@vapi-ai\/web.*rooms here are sockets/) },
  ])
  await askAsVapi()
  clock.advance(59_999)
  await askAsVapi()
  expect(warnings()).toHaveLength(1)
  clock.advance(1)
  await askAsVapi()
  expect(warnings()).toHaveLength(2)
})

it('a page with our own client is not, nor a program', async () => {
  const client = new PlatformClient({ token: KEYS.public, baseUrl: 'http://platform', fetch: fromPage })
  await client.calls.createWeb({ assistantId })
  await bench.client.calls.createWeb({ assistantId })
  expect((await bench.request('POST', '/call/web', { assistantId })).status).toBe(201)
  expect(warnings()).toEqual([])
})

it('a page that gets no call hears the reason itself', async () => {
  await expect(
    fromPage('http://platform/call/web', {
      method: 'POST',
      headers: { authorization: `Bearer ${KEYS.public}`, 'content-type': 'application/json' },
      body: '{}',
    }).then(({ status }) => status),
  ).resolves.toBe(400)
  expect(warnings()).toEqual([])
})
