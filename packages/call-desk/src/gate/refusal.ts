/**
 * Why the gate refuses, in the order in which it looks. The codes are stable: they are stored in the record (`refusal`) and logged. The
 * client gets `call_refused` and nothing else, so that it cannot find out the limits.
 */
export const REFUSALS = [
  /** An operator has stopped all calls. */
  'paused',
  /** The circuit breaker has stopped all calls. */
  'breaker_open',
  /** The token of the human check was missing, wrong, too old, made for another page, or used before. */
  'human_check_failed',
  /** The number is on the do-not-call list. */
  'dnc',
  'country_not_allowed',
  /** Premium-rate and shared-cost numbers. */
  'premium_blocked',
  /** A kind of number that is not an ordinary line: toll-free, personal, pager, voicemail, internet telephony. */
  'type_not_allowed',
  /** The number has a blocked prefix, or is one of our own. */
  'prefix_blocked',
  'quiet_hours',
  /** Nobody knows yet whether an earlier request for this number became a call. */
  'unknown_pending',
  'limit_address',
  'limit_network',
  /** The number has a call in flight for another visitor's page, or the request has an idempotency key. The client is told `in_flight`. */
  'in_flight',
  /** The number has a call in flight, for the same visitor's page. The client is told the same as for an accepted request. */
  'repeated',
  'limit_number',
  'limit_slug',
  'limit_prefix',
  'limit_country',
  /** Too many calls in all have begun in a short time, or in a day. */
  'limit_starts',
  'limit_concurrent',
  'budget_exhausted',
  /** An operator had the call ended before it was dialled. */
  'ended',
] as const

export type Refusal = (typeof REFUSALS)[number]

/** The refusals by the rules for numbers: nobody may call such a number. */
const OF_NUMBER: readonly Refusal[] = [
  'country_not_allowed',
  'premium_blocked',
  'type_not_allowed',
  'prefix_blocked',
]

export const isOfNumber = (refusal: Refusal): boolean => OF_NUMBER.includes(refusal)

/** The two ways to refuse a request whose number has a call in flight. */
export type BusyRefusal = Extract<Refusal, 'in_flight' | 'repeated'>

/**
 * The refusals that are held against the client: they count towards the limits of its address and network. The others can happen to anyone: an
 * expired check, a mistyped or foreign number, a late hour, a pause, too many calls at once. No refusal counts towards any other limit.
 */
const HELD_AGAINST_ASKER = [
  'unknown_pending',
  'limit_address',
  'limit_network',
  'in_flight',
  'repeated',
  'limit_number',
  'limit_slug',
  'limit_prefix',
] as const satisfies readonly Refusal[]

/** Whether a refusal is held against the client. */
export const isHeldAgainstAsker = (refusal: Refusal): boolean =>
  HELD_AGAINST_ASKER.some((held) => held === refusal)

/** In SQL: whether the refusal of `row` is held against the client. */
export const heldAgainstAsker = (row: string): string =>
  `${row}.refusal in (${HELD_AGAINST_ASKER.map((refusal) => `'${refusal}'`).join(', ')})`

/** In SQL: whether `row` passed, or its refusal is held against the client. */
export const countsForAsker = (row: string): string =>
  `(${row}.state <> 'refused' or ${heldAgainstAsker(row)})`
