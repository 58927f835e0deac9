import type { Logger } from 'pino'
import type { BreakerReason } from './breaker.js'

/** Tells that the breaker opened just now. It is the alert: somebody has to look, and to resume. */
export function alertBreaker(logger: Logger, reason: BreakerReason): void {
  logger.error({ reason }, 'the circuit breaker opened: nothing is dialled until it is resumed')
}
