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
  'limit_address',
  'limit_network',
  /** The number has a call in flight, for another visitor's page, or the request has an idempotency key. The client hears `in_flight`. */
  'in_flight',
  /** The number has a call in flight, for the same visitor's page. The client hears what it would hear of a request that is taken. */
  'repeated',
  'limit_number',
  'limit_slug',
  'limit_prefix',
  'limit_country',
  /** All calls together: too many begun in a short time, or in a day. */
  'limit_starts',
  'limit_concurrent',
  'budget_exhausted',
] as const

export type Refusal = (typeof REFUSALS)[number]

/** How a request is refused whose number has a call in flight. */
export type BusyRefusal = Extract<Refusal, 'in_flight' | 'repeated'>

/**
 * The refusals that are held against who asked: they count towards the limits of addresses and networks. The others say nothing of them: a
 * check that grew old, a mistyped or foreign number, a late hour, a house that is full or stands still. No refusal counts for anybody else.
 */
export const HELD_AGAINST_ASKER = [
  'unknown_pending',
  'limit_address',
  'limit_network',
  'in_flight',
  'repeated',
  'limit_number',
  'limit_slug',
  'limit_prefix',
] as const satisfies readonly Refusal[]

/** Whether `row` was let pass, or was refused for something that is held against who asked, in SQL. */
export const countsForAsker = (row: string): string =>
  `(${row}.state <> 'refused' or ${row}.refusal in (${HELD_AGAINST_ASKER.map((refusal) => `'${refusal}'`).join(', ')}))`
