import { REFUSALS, type Refusal } from './refusal.js'

/** Why the gate refused, for operators: what happened, and what can be done about it. */
const TEXTS: Readonly<Record<Refusal, string>> = {
  paused: 'All calls were paused. Resume them, and calls are placed again.',
  breaker_open: 'The circuit breaker had stopped all calls. Find out why, then resume them.',
  human_check_failed: 'The page did not prove that a person asked. The visitor can reload it and try again.',
  dnc: 'The number is on the do-not-call list.',
  country_not_allowed: 'The country of the number is not among those that may be called (CALL_COUNTRIES).',
  premium_blocked: 'It is a premium-rate or shared-cost number. These are never called.',
  type_not_allowed:
    'It is no ordinary telephone line, but a toll-free, personal, pager, voicemail or internet number.',
  prefix_blocked:
    'The number begins with digits that are never called (CALL_BLOCKED_PREFIXES), or is one of our own.',
  quiet_hours: 'It was too early or too late where the number is (CALL_HOURS).',
  unknown_pending: 'An earlier request for this number may still become a call. Wait until that is known.',
  limit_address: "The client's address had asked as often as it may.",
  limit_network: "The client's network had asked as often as it may, or had used its share of the budget.",
  in_flight: "A call to this number, from another visitor's page, was still going on.",
  repeated: 'A call to this number was going on already, so there was no second one.',
  limit_number: 'The number had been called as often as it may be (CALL_LIMIT_NUMBER).',
  limit_slug: "The visitor's page had had as many calls as it may.",
  limit_prefix: 'Too many neighbouring numbers had been called (CALL_LIMIT_PREFIX).',
  limit_country: 'The country had been called as often as it may be within the hour (CALL_LIMIT_COUNTRY).',
  limit_starts: 'As many calls as may begin had begun, of all together.',
  limit_concurrent: 'As many calls as may run at once were running.',
  budget_exhausted: 'The budget of the day or of the month is spent, or set aside for calls that run.',
  ended: 'An operator had it ended before it was dialled.',
}

const isRefusal = (code: string): code is Refusal => (REFUSALS as readonly string[]).includes(code)

/** A refusal's code in plain words; null where nothing was refused. A code that this version does not know stays as it is. */
export const refusalText = (code: string | null): string | null =>
  code !== null && isRefusal(code) ? TEXTS[code] : code
