import type { Db } from '@heyline/database'
import { expect, it, vi } from 'vitest'
import { AnonymousLine } from './line.js'

/** A Postgres with so many connections. */
const poolOf = (most: number): Pick<Db, 'kind' | 'transaction' | 'pool'> => ({
  kind: 'postgres',
  transaction: (run) => run({ query: vi.fn(), exec: vi.fn() }),
  pool: () => ({ most, open: most, idle: 0, waiting: 0 }),
})

it.each([
  [10, 3],
  [4, 1],
  [1, 1],
])('of %d connections takes %d', async (most, taken) => {
  const line = new AnonymousLine(poolOf(most))
  let begun = 0
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const all = Array.from({ length: 5 }, (_, n) =>
    line.transaction({ network: `network ${n}`, address: '' }, async () => {
      begun++
      await ended
    }),
  )
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(begun).toBe(taken)
  end()
  await Promise.all(all)
})

it('lets networks in by turns: many requests of one keep nobody of another waiting behind them', async () => {
  const line = new AnonymousLine(poolOf(10))
  const begun: string[] = []
  const ends: (() => void)[] = []
  const ask = (network: string, address: string) =>
    line.transaction({ network, address }, async () => {
      begun.push(network)
      await new Promise<void>((resolve) => ends.push(resolve))
    })
  const crowd = Array.from({ length: 20 }, (_, n) => ask('crowd', `crowd ${n}`))
  await vi.waitFor(() => expect(begun).toHaveLength(3))
  const other = ask('other', 'other')
  const endNext = async () => {
    const before = begun.length
    ends.shift()?.()
    await vi.waitFor(() => expect(begun.length).toBeGreaterThan(before))
  }
  await endNext()
  await endNext()
  expect(begun.filter((network) => network === 'other')).toHaveLength(1)
  let isOver = false
  const all = Promise.all([...crowd, other]).then(() => {
    isOver = true
  })
  while (!isOver) {
    for (const end of ends.splice(0)) end()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await all
})
