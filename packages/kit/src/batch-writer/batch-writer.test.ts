import { expect, it } from 'vitest'
import { BatchWriter, type BatchWriterOptions } from './batch-writer.js'

/** A writer that keeps its batches, and fails where `fails` gives an error. */
function writing(
  options: Partial<BatchWriterOptions<string>> = {},
  fails: (items: readonly string[]) => Error | undefined = () => undefined,
) {
  const batches: string[][] = []
  const writer = new BatchWriter<string>({
    async write(items) {
      batches.push([...items])
      const error = fails(items)
      if (error) throw error
    },
    ...{ mostItems: 100, mostCharacters: 1000, charactersOf: (item) => item.length },
    ...options,
  })
  const writeAll = (items: readonly string[]) => Promise.allSettled(items.map((item) => writer.write(item)))
  return { writer, batches, writeAll }
}
const statuses = (outcomes: PromiseSettledResult<void>[]) => outcomes.map(({ status }) => status)

it('writes the first at once, and what comes meanwhile together', async () => {
  const { batches, writeAll } = writing()
  await writeAll(['a', 'b', 'c'])
  expect(batches).toEqual([['a'], ['b', 'c']])
})

it('gathers for a moment where it is told to', async () => {
  const { writer, batches, writeAll } = writing({ gatheredMs: 20 })
  await writeAll(['a', 'b', 'c'])
  await writer.write('a')
  expect(batches).toEqual([['a', 'b', 'c'], ['a']])
})

it('writes so many items and characters at once, and a longer one alone', async () => {
  const { batches, writeAll } = writing({ gatheredMs: 1, mostItems: 3, mostCharacters: 10 })
  await writeAll(['a', 'b', 'c', 'd', 'e'.repeat(8), 'f'.repeat(8), 'g'.repeat(50), 'h'])
  expect(batches.map((batch) => batch.join('').length)).toEqual([3, 9, 8, 50, 1])
})

it('fails all of a batch, or only those that cannot be written', async () => {
  const refused = (items: readonly string[]) => (items.includes('b') ? new Error('bad') : undefined)
  const together = writing({ gatheredMs: 1 }, refused)
  expect(statuses(await together.writeAll(['a', 'b', 'c']))).toEqual(['rejected', 'rejected', 'rejected'])
  expect(together.batches).toHaveLength(1)
  const apart = writing({ gatheredMs: 1, isOfSome: () => true }, refused)
  expect(statuses(await apart.writeAll(['a', 'b', 'c']))).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(apart.batches).toEqual([['a', 'b', 'c'], ['a'], ['b'], ['c']])
})
