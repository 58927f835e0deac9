import { TEST_SLUG } from '../call/test-slug.js'
import { Rate } from '../run/rate.js'
import { type MadeWebCall, makeWebCall, type WebCallMaker } from './made-web-call.js'
import { WebReservations, type WebReservationsOptions } from './web-reservations.js'

/** Most test calls that one operator begins in a minute. */
const MOST_PER_MINUTE = 6

/** A test call, or why there is none: calls are paused or the money is spent (`refused`), this operator began too many (`too_many`). */
export type TestCall = MadeWebCall | { result: 'refused' | 'too_many' }

/**
 * Makes calls of the stored assistant for operators. The pause and the money hold for them as for everybody, the limits of visitors do not.
 * They are in the records as calls of `TEST_SLUG`.
 */
export function createTestCalls(
  options: WebCallMaker & Omit<WebReservationsOptions, 'addressOf'>,
): (operator: string) => Promise<TestCall> {
  const settings = { ...options.settings, mode: 'simulated' } as const
  const reservations = new WebReservations({ ...options, settings })
  const rate = new Rate(MOST_PER_MINUTE)
  return async (operator) => {
    if (!rate.count(operator)) return { result: 'too_many' }
    const reserved = await reservations.openFor(TEST_SLUG)
    if (reserved.result === 'reserved')
      return makeWebCall(options, { maxDurationSeconds: reserved.maxSeconds }, reserved)
    if (reserved.code === 'call_refused') return { result: 'refused' }
    return { result: 'failed', retryAfterSeconds: reserved.retryAfterSeconds }
  }
}
