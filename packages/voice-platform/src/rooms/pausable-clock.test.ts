import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { PausableClock } from './pausable-clock.js'

it('lets no time pass while it stands still, and alarms wait', () => {
  const time = new ManualClock(1_000)
  const clock = new PausableClock(time)
  const rung: string[] = []
  clock.after(100, () => rung.push('first'))
  clock.after(100, () => rung.push('stopped'))()
  time.advance(60)
  clock.pause()
  clock.pause()
  clock.after(10, () => rung.push('set meanwhile'))
  time.advance(5_000)
  expect([clock.now(), rung, time.pending]).toEqual([1_060, [], 0])
  clock.resume()
  clock.resume()
  time.advance(39)
  expect([clock.now(), rung]).toEqual([1_099, ['set meanwhile']])
  time.advance(1)
  expect(rung).toEqual(['set meanwhile', 'first'])
  expect(time.pending).toBe(0)
})

it('stops an alarm while it stands still', () => {
  const time = new ManualClock()
  const clock = new PausableClock(time)
  const stop = clock.after(100, () => {
    throw new Error('It was stopped.')
  })
  clock.pause()
  stop()
  clock.resume()
  time.advance(1_000)
  expect(time.pending).toBe(0)
})
