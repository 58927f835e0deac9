import { expect, it } from 'vitest'
import { ManualClock } from '../clock/manual-clock.js'
import { everyHour } from './every-hour.js'

const HOUR_MS = 3_600_000
const settled = () => new Promise((resolve) => setImmediate(resolve))

it('runs at once and every hour, also after a fault, until it is ended', async () => {
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
