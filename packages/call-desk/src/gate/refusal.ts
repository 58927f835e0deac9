/**
 * Why the gate refuses, in the order in which it looks. The codes are stable: they stand in the record (`refusal`) and in the log. The
 * client gets `call_refused` and nothing else, so that it cannot find out the limits.
 */
export const REFUSALS = [
  /** An operator has stopped all calls. */
  'paused',
  /** The circuit breaker has. */
  'breaker_open',
  /** The human check was missing, wrong, too old, of another page, or used before. */
  'human_check_failed',
  /** The number is on the do-not-call list. */
  'dnc',
  'country_not_allowed',
  /** Premium-rate and shared-cost numbers. */
  'premium_blocked',
  /** A kind of number that is no ordinary line: toll-free, personal, pager, voicemail, internet telephony. */
  'type_not_allowed',
  /** A beginning that is blocked by a rule, or one of our own numbers. */
  'prefix_blocked',
  'quiet_hours',
  /** It is not known yet whether an earlier request to this number was placed. */
  'unknown_pending',
  'limit_number',
  'limit_slug',
  'limit_address',
  'limit_network',
  'limit_prefix',
  'limit_country',
  /** All calls together: too many begun in a short time, or in a day. */
  'limit_starts',
  'limit_concurrent',
  'budget_exhausted',
] as const

export type Refusal = (typeof REFUSALS)[number]
