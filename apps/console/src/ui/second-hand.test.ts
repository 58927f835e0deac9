import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { SecondHand } from './second-hand.js'

it('tells all views of each second, with one timer, and leaves none behind', () => {
  const clock = new ManualClock(1_700)
  const hand = new SecondHand(clock)
  const seen: string[] = []
  const leave = ['one', 'other'].map((view) => hand.subscribe(() => seen.push(`${view} ${hand.get()}`)))
  expect([hand.get(), clock.pending]).toEqual([1_000, 1])
  clock.advance(299)
  expect(seen).toEqual([])
  clock.advance(1_001)
  expect(seen).toEqual(['one 2000', 'other 2000', 'one 3000', 'other 3000'])
  for (const each of leave) each()
  expect(clock.pending).toBe(0)
})

it('knows the time where nobody was told of it', () => {
  const clock = new ManualClock(5_000)
  const hand = new SecondHand(clock)
  hand.subscribe(() => {})()
  clock.advance(60_500)
  expect(hand.get()).toBe(65_000)
})
