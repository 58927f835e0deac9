import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { ReadTurns } from './read-turns.js'

const settled = async () => {
  for (let tick = 0; tick < 50; tick++) await Promise.resolve()
}

function opened(kind: 'pglite' | 'postgres') {
  const clock = new ManualClock()
  const turns = new ReadTurns(kind, clock)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const read = (operator: string, address = '192.0.2.1', left = new AbortController().signal) =>
    turns.run({ operator, address, left }, async () => {
      begun.push(`${operator} ${address}`)
      await new Promise<void>((resolve) => ends.push(resolve))
    })
  /** Has the reads that run take so many ms. */
  const end = async (ms: number) => {
    clock.advance(ms)
    for (const one of ends.splice(0)) one()
    await settled()
  }
  return { clock, begun, read, end }
}

it.each([
  ['pglite', 1],
  ['postgres', 3],
] as const)('on %s lets %i read at once, and operators take turns', async (kind, atOnce) => {
  const { begun, read, end } = opened(kind)
  const flood = Array.from({ length: 20 }, () => read('ann'))
  await settled()
  expect(begun).toHaveLength(atOnce)
  const other = read('ben')
  await settled()
  await end(1)
  await end(1)
  expect(begun.slice(0, 2 * atOnce + 1)).toContain('ben 192.0.2.1')
  for (let left = 0; left < 20; left++) await end(1)
  await Promise.all([...flood, other])
})

it('lets the addresses of an operator take turns', async () => {
  const { begun, read, end } = opened('pglite')
  const all = [...Array.from({ length: 5 }, () => read('ann', '192.0.2.1')), read('ann', '192.0.2.2')]
  for (let left = 0; left < 6; left++) {
    await settled()
    await end(1)
  }
  await Promise.all(all)
  expect(begun.indexOf('ann 192.0.2.2')).toBeLessThan(3)
})

it('has an operator rest who kept the one session busy, and no other', async () => {
  const { clock, begun, read, end } = opened('pglite')
  const slow = read('ann')
  await settled()
  await end(2_100)
  await slow
  const again = read('ann')
  const other = read('ben')
  await settled()
  expect(begun).toEqual(['ann 192.0.2.1'])
  // Of all operators together, a tenth of a second beyond the burst, at half of the time.
  clock.advance(200)
  await settled()
  expect(begun).toEqual(['ann 192.0.2.1', 'ben 192.0.2.1'])
  await end(0)
  await other
  clock.advance(199)
  await settled()
  expect(begun).toHaveLength(2)
  clock.advance(1)
  await settled()
  expect(begun).toEqual(['ann 192.0.2.1', 'ben 192.0.2.1', 'ann 192.0.2.1'])
  await end(0)
  await again
  expect(clock.pending).toBe(0)
})

it('rests for a second and a half at most, and not for who has gone away', async () => {
  const { clock, begun, read, end } = opened('pglite')
  const slow = read('ann')
  await settled()
  await end(60_000)
  await slow
  const leaving = new AbortController()
  const given = read('ann', '192.0.2.1', leaving.signal)
  await settled()
  leaving.abort(new Error('gone'))
  await expect(given).rejects.toThrow('gone')
  const next = read('ann')
  await settled()
  clock.advance(1_500)
  await settled()
  expect(begun).toHaveLength(2)
  await end(0)
  await next
})

it('lets a screen of the console read without a rest', async () => {
  const { clock, read, end } = opened('pglite')
  for (let window = 0; window < 10; window++) {
    const reads = Array.from({ length: 5 }, () => read('ann'))
    for (let left = 0; left < 5; left++) {
      await settled()
      await end(30)
    }
    await Promise.all(reads)
  }
  expect(clock.pending).toBe(0)
})
