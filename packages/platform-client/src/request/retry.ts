import type { HttpMethod } from '../api/operation.js'
import { ConnectionError } from '../errors/connection-error.js'
import { PlatformError } from '../errors/platform-error.js'

/** Whether a repetition changes nothing. A POST or PATCH is sent once. */
export const isRepeatable = (method: HttpMethod): boolean => method !== 'POST' && method !== 'PATCH'

/** Answers that another try may turn into a good one. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504])

const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 8000

/** Whether a failed request may be sent again. */
export function isRetryable(method: HttpMethod, error: unknown): boolean {
  if (!isRepeatable(method)) return false
  // A `fetch` with bounds says it of an answer that is too large: the next one is, too.
  if (error instanceof ConnectionError && error.cause instanceof RangeError) return false
  return (
    error instanceof ConnectionError || (error instanceof PlatformError && PASSING_STATUSES.has(error.status))
  )
}

/**
 * Milliseconds to wait before try number `attempt` + 1 (the first try is 1): doubling from 250 ms to 8 s, of which a random half is taken off;
 * never less than the platform's `Retry-After`. `random` gives 0 to 1.
 */
export function retryDelay(attempt: number, error: unknown, random: () => number): number {
  const backoff = Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), LONGEST_DELAY_MS) * (0.5 + random() / 2)
  const asked = error instanceof PlatformError && error.retryAfter !== undefined ? error.retryAfter * 1000 : 0
  return Math.max(backoff, asked)
}
