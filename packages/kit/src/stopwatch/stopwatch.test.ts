import { expect, it } from 'vitest'
import { ManualClock } from '../clock/manual-clock.js'
import { Stopwatch } from './stopwatch.js'

it('counts from when it was made', () => {
  const clock = new ManualClock(1_000)
  const stopwatch = new Stopwatch(clock)
  expect(stopwatch.elapsedMs).toBe(0)
  clock.advance(40)
  expect(stopwatch.elapsedMs).toBe(40)
})

it.each([
  ['is set back', -60_000, 40],
  ['alone went on while the machine was suspended', 60_000, 60_040],
])('takes the greater count where the clock of the machine %s', (_, step, elapsedMs) => {
  const clock = new ManualClock(100_000)
  const stopwatch = new Stopwatch(clock)
  clock.advance(40)
  clock.step(step)
  expect(stopwatch.elapsedMs).toBe(elapsedMs)
})
