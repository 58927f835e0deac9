import { ConnectionError, InvalidRequestError, PlatformError } from '@heyline/platform-client'

/** What a failed attempt to place a call means. `reason` is a code, then what the platform said, of any length and with any words. */
export type PlacingFailure =
  /** Certainly not placed, and another try may succeed. `isOutage`: once the platform's database is back. */
  | { kind: 'retryable'; reason: string; retryAfterMs: number; isOutage?: true }
  /** Certainly not placed, and another try would be refused too. */
  | { kind: 'refused'; reason: string }
  /** It may have been placed. */
  | { kind: 'unknown'; reason: string }

/** The built-in platform's word for it. */
const OUTAGE = 'outage'

/**
 * Judges an error of the platform client. An HTTP answer of 4xx is a definite refusal (but 408, which a proxy may give while the platform works);
 * 429 is definite too, but another try may succeed; so may one after a connection that never carried the request. Everything else leaves
 * it open: a timeout, a cut connection, an answer that cannot be read, and any 5xx. A platform may place a call and still answer 503 with
 * `Retry-After`.
 */
export function judgeFailure(error: unknown): PlacingFailure {
  if (error instanceof PlatformError) {
    const { status, code, message, retryAfter } = error
    const reason = `platform_${status}_${code}: ${message}`
    if (status === 429) {
      const retryAfterMs = (retryAfter ?? 0) * 1000
      return { kind: 'retryable', reason, retryAfterMs, ...(code === OUTAGE && { isOutage: true }) }
    }
    if (status >= 400 && status < 500 && status !== 408) return { kind: 'refused', reason }
    return { kind: 'unknown', reason }
  }
  if (error instanceof ConnectionError && error.neverSent) {
    return {
      kind: 'retryable',
      reason: 'platform_unreachable: no connection to the platform',
      retryAfterMs: 0,
    }
  }
  if (error instanceof InvalidRequestError)
    return { kind: 'refused', reason: `${error.code}: ${error.message}` }
  const name = error instanceof Error ? error.name : 'unknown'
  return { kind: 'unknown', reason: `platform_no_answer: ${name}` }
}
