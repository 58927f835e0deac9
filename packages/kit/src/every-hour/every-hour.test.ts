import { expect, it } from 'vitest'
import { ManualClock } from '../clock/manual-clock.js'
import { everyHour, SETTLED_MS } from './every-hour.js'

const HOUR_MS = 3_600_000
const settled = () => new Promise((resolve) => setImmediate(resolve))

it('runs once a start has settled and then every hour, also after a fault, until it is ended', async () => {
  const clock = new ManualClock()
  const faults: unknown[] = []
  let runs = 0
  const end = everyHour({
    clock,
    run: async () => {
      runs++
      if (runs === 1) throw new Error('no')
    },
    onError: (error) => faults.push(error),
  })
  clock.advance(SETTLED_MS - 1)
  await settled()
  expect(runs).toBe(0)
  clock.advance(1)
  await settled()
  expect([runs, faults]).toEqual([1, [new Error('no')]])
  clock.advance(HOUR_MS - 1)
  await settled()
  expect(runs).toBe(1)
  clock.advance(1)
  await settled()
  expect(runs).toBe(2)
  await end()
  clock.advance(HOUR_MS)
  expect(runs).toBe(2)
})

it('runs at once where nothing can wait', async () => {
  let runs = 0
  const run = async () => {
    runs++
  }
  const end = everyHour({ clock: new ManualClock(), firstMs: 0, run, onError: () => {} })
  expect(runs).toBe(1)
  await end()
})

it('never runs where it is ended before the start has settled', async () => {
  const clock = new ManualClock()
  let runs = 0
  const run = async () => {
    runs++
  }
  await everyHour({ clock, run, onError: () => {} })()
  clock.advance(SETTLED_MS)
  expect([runs, clock.pending]).toEqual([0, 0])
})
