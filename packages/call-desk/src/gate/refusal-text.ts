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

/** What differs where somebody called us: these limits are not settings. */
const INCOMING_TEXTS: Partial<Record<Refusal, string>> = {
  in_flight: 'The number was on a call with us already.',
  limit_number: 'The number had called us as often as it may: three times in ten minutes, ten times a day.',
  limit_starts:
    'As many calls to us as may begin had begun, of all together or of numbers that are not proven.',
  limit_concurrent:
    'The places of calls to us were taken, or those of numbers that are not proven (CALL_LIMIT_CONCURRENT).',
  budget_exhausted:
    'What calls to us may have of the budget was spent, by all, by this number, or by numbers that are not proven (CALL_LIMIT_DAY_USD).',
}

const isRefusal = (code: string): code is Refusal => (REFUSALS as readonly string[]).includes(code)

/** A refusal's code in plain words; null where nothing was refused. A code that this version does not know stays as it is. */
export const refusalText = (code: string | null): string | null =>
  code !== null && isRefusal(code) ? TEXTS[code] : code

/** The same of a call to one of our numbers. */
export const incomingRefusalText = (code: string): string =>
  (isRefusal(code) ? INCOMING_TEXTS[code] : undefined) ?? refusalText(code) ?? code
