import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { parserProcesses } from './parser-process.js'

const folder = mkdtempSync(join(tmpdir(), 'heyline-parser-'))
afterAll(() => rmSync(folder, { recursive: true }))

function script(name: string, text: string): string {
  const path = join(folder, `${name}.mjs`)
  writeFileSync(path, text)
  return path
}
const job = { kind: 'txt', content: Buffer.from('words') } as const

it('goes on where a file ends the process that reads it', async () => {
  const read = parserProcesses({ script: script('aborts', 'process.once("message", () => process.abort())') })
  await expect(read(job)).rejects.toThrow('takes too much memory to read, or is damaged')
})

it('says so where nothing reads', async () => {
  const read = parserProcesses({ script: script('exits', 'process.exit(1)') })
  await expect(read(job)).rejects.toThrow('cannot be read')
})

it('ends a process that does not answer', async () => {
  const read = parserProcesses({ script: script('waits', 'process.on("message", () => {})'), timeoutMs: 50 })
  await expect(read(job)).rejects.toThrow('takes too long to read')
})

it('gives it the file, and nothing of its own surroundings', async () => {
  const tells =
    'process.on("message", ({ kind, content }) => process.send({ sections: [{ text: [kind, new TextDecoder().decode(content), Object.keys(process.env).length, process.execArgv.length].join() }] }))'
  const read = parserProcesses({ script: script('tells', tells) })
  expect(await read(job)).toEqual([{ text: 'txt,words,0,0' }])
})
