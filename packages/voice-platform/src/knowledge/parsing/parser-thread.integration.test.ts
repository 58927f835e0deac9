import { expect, it } from 'vitest'
import { parserThreads } from './parser-thread.js'

const script = (text: string) => new URL(`data:text/javascript,${encodeURIComponent(text)}`)
const job = { kind: 'pdf', content: Buffer.from('%PDF-') } as const

it('ends a thread whose file takes too much memory beside its heap', async () => {
  let bytes = 100_000_000
  const read = parserThreads({
    script: script('setInterval(() => {}, 1_000)'),
    memory: () => (bytes += 300_000_000),
  })
  await expect(read(job)).rejects.toThrow('The file takes too much memory to read')
})

it('does not mind what the process had before', async () => {
  const read = parserThreads({
    script: script(
      'import { parentPort } from "node:worker_threads"; setTimeout(() => parentPort.postMessage({ sections: [{ text: "ok" }] }), 120)',
    ),
    memory: () => 2_000_000_000,
  })
  expect(await read(job)).toEqual([{ text: 'ok' }])
})
