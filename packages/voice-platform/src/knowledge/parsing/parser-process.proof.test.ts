import { expect, it } from 'vitest'
import { parserProcesses } from './parser-process.js'

// In a thread of this process, the first of them has ended the process itself.
it.each([
  ['20 MB of empty lines', 'md', '\n'.repeat(20_000_000)],
  ['20 MB of short rows', 'csv', 'a\n'.repeat(10_000_000)],
  ['20 MB of elements', 'html', '<p>'.repeat(6_600_000)],
] as const)('a file that takes all memory of its reader ends nothing else: %s', async (_what, kind, text) => {
  const read = parserProcesses()
  await expect(read({ kind, content: Buffer.from(text) })).rejects.toThrow(/split it|no text|damaged/)
  expect(await read({ kind: 'txt', content: Buffer.from('words') })).toEqual([{ text: 'words' }])
})
