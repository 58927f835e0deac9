import { expect, it } from 'vitest'
import { ManualClock } from '../testing/manual-clock.js'
import { MessageBudget } from './message-budget.js'

it('allows forty messages at once, then twenty a second', () => {
  const clock = new ManualClock()
  const budget = new MessageBudget(clock)
  const spent = () => {
    let count = 0
    while (budget.spend()) count += 1
    return count
  }
  expect(spent()).toBe(40)
  clock.advance(49)
  expect(spent()).toBe(0)
  clock.advance(1)
  expect(spent()).toBe(1)
  clock.advance(1_000)
  expect(spent()).toBe(20)
  clock.advance(60_000)
  expect(spent()).toBe(40)
})
