import { describe, expect, it } from 'vitest'
import { hasCome, leftUntil } from './stored-time.js'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const at = { now: DAY, longestMs: 15 * MINUTE }

describe('a stored time', () => {
  it.each([
    ['that is to come', DAY + MINUTE, MINUTE],
    ['that has come', DAY - MINUTE, 0],
    ['that is not there', undefined, 0],
    ['of another clock, within a minute of ours', DAY + 16 * MINUTE, 16 * MINUTE],
    ['of a clock that was a day ahead', 2 * DAY + MINUTE, 0],
  ])('%s', (_, until, left) => {
    expect(leftUntil(until, at)).toBe(left)
  })

  it('of what was has come, as far as clocks agree', () => {
    expect([DAY - 1, DAY + MINUTE, 2 * DAY].map((time) => hasCome(time, DAY))).toEqual([true, true, false])
  })
})
