import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { Budget } from './budget.js'

it('lets so much be spent at once, and then what fills again', () => {
  const clock = new ManualClock()
  const budget = new Budget(clock, { perSecond: 20, atOnce: 40 })
  const spendAll = () => {
    let spent = 0
    while (budget.spend()) spent += 1
    return spent
  }
  expect(spendAll()).toBe(40)
  clock.advance(1_000)
  expect(spendAll()).toBe(20)
  clock.advance(60_000)
  expect(spendAll()).toBe(40)
})

it('spends nothing of what it does not have, and does not mind a clock that is set back', () => {
  const clock = new ManualClock()
  const budget = new Budget(clock, { perSecond: 1, atOnce: 10 })
  expect(budget.spend(11)).toBe(false)
  clock.advance(-5_000)
  expect(budget.spend(10)).toBe(true)
})
