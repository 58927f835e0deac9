import { expect, it } from 'vitest'
import { TRIES_MOST, WAITS_MS, waitAfter } from './tries.js'

it('tries eight times within 72 hours, and gives up then', () => {
  expect(TRIES_MOST).toBe(8)
  expect(WAITS_MS.reduce((sum, wait) => sum + wait)).toBe(72 * 3_600_000)
  expect(waitAfter(1, 0.5)).toBe(5_000)
  expect(waitAfter(1, 0)).toBe(4_500)
  expect(waitAfter(7, 1)).toBeLessThan(44 * 3_600_000)
  expect(waitAfter(8, 0.5)).toBeUndefined()
})
