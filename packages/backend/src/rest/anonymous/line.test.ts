import type { Db } from '@heyline/database'
import { expect, it, vi } from 'vitest'
import { AnonymousLine } from './line.js'

it('lets networks in by turns: many requests of one keep nobody of another waiting behind them', async () => {
  const transaction: Db['transaction'] = (run) => run({ query: vi.fn(), exec: vi.fn() })
  const line = new AnonymousLine({ kind: 'postgres', transaction })
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
