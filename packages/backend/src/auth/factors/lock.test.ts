import { ManualClock } from '@heyline/kit/manual-clock'
import { expect, it } from 'vitest'
import { type Guesses, Lock } from './lock.js'

const clock = new ManualClock(1_800_000_000_000)
const lock = new Lock(clock)
const after = (wrong: number): Guesses => {
  let guesses: Guesses = { failures: 0, locked_until: null }
  for (let n = 0; n < wrong; n += 1) guesses = lock.afterWrong(guesses)
  return guesses
}

it('lets four wrong codes pass', () => {
  expect(after(4)).toEqual({ failures: 4, locked_until: null })
  expect(lock.waitOf(after(4))).toBe(0)
})

it('locks for a minute with the fifth, twice as long with each further one, an hour at most', () => {
  expect([5, 6, 7, 8, 9, 10, 11, 12, 5000].map((wrong) => lock.waitOf(after(wrong)) / 60_000)).toEqual([
    1, 2, 4, 8, 16, 32, 60, 60, 60,
  ])
})

it('opens when the time is over, and remembers', () => {
  const locked = after(5)
  clock.advance(59_999)
  expect(lock.waitOf(locked)).toBe(1)
  clock.advance(1)
  expect(lock.waitOf(locked)).toBe(0)
  expect(lock.waitOf(lock.afterWrong(locked))).toBe(120_000)
})

it('says how long', () => {
  const said = (wrong: number) => {
    try {
      lock.demandOpen(after(wrong))
    } catch (error) {
      return error
    }
    return undefined
  }
  expect(said(4)).toBeUndefined()
  expect(said(5)).toMatchObject({
    status: 429,
    code: 'over_request_rate_limit',
    message: 'Too many wrong codes: try again in a minute',
    headers: { 'retry-after': '60' },
  })
  expect(said(7)).toMatchObject({ message: 'Too many wrong codes: try again in 4 minutes' })
})

it('of a clock that was a day ahead is open once the clock is right', () => {
  clock.step(86_400_000)
  const locked = after(5)
  expect(lock.waitOf(locked)).toBe(60_000)
  clock.step(-86_400_000)
  expect(lock.waitOf(locked)).toBe(0)
})
