import { describe, expect, it } from 'vitest'
import { createPlatformError } from '../errors/platform-error.js'
import { retryDelay } from './retry.js'

describe('retryDelay', () => {
  it('doubles from 250 ms to 8 s, less a random half', () => {
    const delays = [1, 2, 3, 6, 7].map((attempt) => retryDelay(attempt, undefined, () => 1))
    expect(delays).toEqual([250, 500, 1000, 8000, 8000])
    expect(retryDelay(3, undefined, () => 0)).toBe(500)
  })

  it('is never less than what the platform asks for', () => {
    const error = createPlatformError({
      method: 'GET',
      path: '/call',
      status: 429,
      code: 'c',
      message: 'm',
      retryAfter: 5,
    })
    expect(retryDelay(1, error, () => 1)).toBe(5000)
  })
})
