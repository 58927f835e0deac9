import { ManualClock } from '@heyline/kit/manual-clock'
import { describe, expect, it } from 'vitest'
import { type Count, counted, FORGOTTEN_AFTER_MS, RULES, type Rule } from './rules.js'

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** Fails again and again, as soon as it may; the waits in seconds. */
function waits(rule: Rule, failures: number, pauseMs = 0): number[] {
  const clock = new ManualClock(1_000_000)
  let count: Count | undefined
  return Array.from({ length: failures }, () => {
    count = counted(rule, count, clock.now())
    const wait = Math.max(0, count.blockedUntil - clock.now())
    clock.advance(wait + pauseMs)
    return wait / SECOND
  })
}

describe('who guesses', () => {
  it('an account from one network waits after five failures, twice as long each time, up to 15 minutes', () => {
    expect(waits(RULES.pair, 17)).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
  })

  it('accounts from one address waits after 20 failures', () => {
    const found = waits(RULES.address, 40)
    expect(found.slice(0, 19)).toEqual(Array.from({ length: 19 }, () => 0))
    expect(found[19]).toBe(1)
    // It is forgotten at two a minute: long waits are followed by free tries, and no more than that in the long run.
    expect(Math.max(...found)).toBeLessThanOrEqual(900)
    const total = waits(RULES.address, 1_000).reduce((sum, wait) => sum + wait, 0)
    expect(total).toBeGreaterThan(900 * 25)
  })

  it('accounts from one network waits after 100 failures, a minute at most', () => {
    expect(waits(RULES.network, 99)).toEqual(Array.from({ length: 99 }, () => 0))
    const found = waits(RULES.network, 1_000)
    expect(Math.max(...found)).toBeLessThanOrEqual(60)
    expect(found.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(900 * 5)
  })

  it('an account from everywhere keeps its owner waiting for a minute at most', () => {
    expect(Math.max(...waits(RULES.account, 200))).toBe(60)
    expect(waits(RULES.account, 19)).toEqual(Array.from({ length: 19 }, () => 0))
  })
})

it('an address that fails now and then never waits', () => {
  expect(Math.max(...waits(RULES.address, 200, 30 * SECOND))).toBe(0)
})

it('everything is forgotten after a day', () => {
  const many = { level: 1_000, updatedAt: 0, blockedUntil: 15 * MINUTE }
  expect(counted(RULES.pair, many, FORGOTTEN_AFTER_MS)).toMatchObject({ level: 1_001 })
  expect(counted(RULES.pair, many, FORGOTTEN_AFTER_MS + 1)).toEqual({
    level: 1,
    updatedAt: FORGOTTEN_AFTER_MS + 1,
    blockedUntil: 0,
  })
})

it('a clock that was set back forgives nothing', () => {
  expect(counted(RULES.account, { level: 10, updatedAt: 5_000, blockedUntil: 0 }, 1_000).level).toBe(11)
})
