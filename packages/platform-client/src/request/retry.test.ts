import { describe, expect, it } from 'vitest'
import { ConnectionError } from '../errors/connection-error.js'
import { createPlatformError } from '../errors/platform-error.js'
import { isRetryable, retryDelay } from './retry.js'

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

it('an answer that a bounded fetch found too large is not asked for again', () => {
  const lost = (cause: Error) => new ConnectionError({ method: 'GET', path: '/call', cause })
  expect(isRetryable('GET', lost(new TypeError('terminated')))).toBe(true)
  expect(isRetryable('GET', lost(new RangeError('too many bytes')))).toBe(false)
})
