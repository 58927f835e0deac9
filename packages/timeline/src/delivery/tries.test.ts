import { expect, it } from 'vitest'
import { TRIES_MOST, waitAfter } from './tries.js'

const HOUR_MS = 3_600_000
const inAll = (askedMs: number) => {
  let sum = 0
  for (let failed = 1; failed < TRIES_MOST; failed++) sum += waitAfter(failed, 0.5, askedMs) ?? 0
  return sum
}

it('tries eight times within 72 hours, and gives up then', () => {
  expect(TRIES_MOST).toBe(8)
  expect(inAll(0)).toBe(72 * HOUR_MS)
  expect(waitAfter(1, 0.5)).toBe(5_000)
  expect(waitAfter(1, 0)).toBe(4_500)
  expect(waitAfter(7, 1)).toBeLessThan(44 * HOUR_MS)
  expect(waitAfter(8, 0.5)).toBeUndefined()
})

it('waits as long as a receiver asks, up to an hour', () => {
  expect(waitAfter(1, 0.5, 60_000)).toBe(60_000)
  expect(waitAfter(1, 0.5, 4_000)).toBe(5_000)
  expect(waitAfter(2, 0.5, 60_000)).toBe(300_000)
  expect(waitAfter(3, 1, 2 * HOUR_MS)).toBe(HOUR_MS)
  expect(waitAfter(1, 0, Number.POSITIVE_INFINITY)).toBe(HOUR_MS)
  expect(waitAfter(TRIES_MOST, 0.5, HOUR_MS)).toBeUndefined()
  expect(inAll(HOUR_MS)).toBeLessThan(74.5 * HOUR_MS)
})
