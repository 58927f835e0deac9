import { describe, expect, it } from 'vitest'
import { duration, money, relativeTime } from './formats.js'

describe('money', () => {
  it.each([
    [0, '$0.00'],
    [1_250_000, '$1.25'],
    [1_234_567_890, '$1,234.57'],
    [12_300, '$0.0123'],
    [-500_000, '-$0.50'],
  ])('%i micro-dollars are %s', (micros, said) => expect(money(micros)).toBe(said))
})

describe('a duration', () => {
  it.each([
    [0, '0:00'],
    [7.4, '0:07'],
    [725, '12:05'],
    [3723, '1:02:03'],
    [-3, '0:00'],
  ])('%d seconds are %s', (seconds, said) => expect(duration(seconds)).toBe(said))
})

describe('a relative time', () => {
  const now = Date.UTC(2026, 0, 15, 12)
  it.each([
    [now, 'just now'],
    [now - 59_000, 'just now'],
    [now - 5 * 60_000, '5 minutes ago'],
    [now - 3_600_000, '1 hour ago'],
    [now - 86_400_000, 'yesterday'],
    [now - 40 * 86_400_000, 'last month'],
    [now + 2 * 3_600_000, 'in 2 hours'],
  ])('%i is %s', (at, said) => expect(relativeTime(at, now)).toBe(said))
})
