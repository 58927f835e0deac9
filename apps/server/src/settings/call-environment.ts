import { DEFAULT_GATE, LONGEST_SECONDS, LONGEST_WEB_SECONDS } from '@heyline/call-desk/settings'
import { z } from 'zod'
import { countries, hours, prefixes } from './call-values.js'
import { factor, limits, most, numbersLimit, oneLimit } from './limit-value.js'
import { budget, dollars, price } from './money-value.js'
import { setting } from './setting.js'
import { httpUrl, onOff, secret, wholeNumber, words } from './value.js'

/** What holds for all settings of the call desk. */
export const CALL_NOTE =
  'A call that may not be placed is answered with 403 `call_refused`, whatever the reason. `heyline calls list` shows the reason. A limit is a count in a span of time: `3/24h` means three in any 24 hours (units: s, m, h, d). `off` means no limit. The database counts, so that all server processes share each limit. `CALL_…` is about phone calls, `WEB_CALL_…` about calls in the browser; neither counts the other.'

/** What the call desk reads. */
export const callEnvironment = {
  CALL_GATE: setting(z.enum(['full', 'simulated'], { error: 'is neither full nor simulated' }), {
    meaning:
      '`full` turns on everything in this section. `simulated` checks only that the number is valid, that no other call to it is in flight, that it is not on the do-not-call list, and that `heyline calls pause` is not on; of the other settings only `CALL_LIMIT_SECONDS` counts. Where an engine is hosted, the budgets count too, at `WEB_CALL_PRICE` a minute. Without a value: `simulated` with the simulated carrier of the built-in platform on a server that only this machine reaches (`HOST` and `PUBLIC_URL` are loopback addresses), otherwise `full`. If calls are real, only `full` is accepted.',
  }),
  CALL_COUNTRIES: setting(countries, {
    default: 'US,CA',
    meaning:
      'Countries that may be called, by their ISO codes. A country can carry the highest price of a minute there, in US dollars, where that is not `CALL_PRICE`. If a minute really costs more than you say here, your budgets are exceeded.',
    examples: ['`US,CA,GB=0.40`'],
  }),
  CALL_PRICE: setting(dollars, {
    default: '0.25',
    meaning: 'The highest price of a minute in US dollars, for countries without a price of their own.',
  }),
  CALL_BLOCKED_PREFIXES: setting(prefixes, {
    default: DEFAULT_GATE.blockedPrefixes.join(','),
    meaning:
      'Beginnings of numbers that are never called, with `?` for any digit, or `off`. Premium-rate and shared-cost numbers, directory assistance and the other services inside North American areas are never called in any case.',
  }),
  CALL_HOURS: setting(hours, {
    default: '09-20',
    meaning:
      'The hours in which a phone may ring: from the first full hour until before the second, in the time zone of the called number. Where a number may be in several zones, it must be within the hours in all of them. `off` allows the whole day.',
  }),
  CALL_LIMIT_NUMBER: setting(limits, {
    default: '1/2m,2/1h,3/24h,5/30d',
    meaning: 'Calls to one number.',
  }),
  CALL_LIMIT_SLUG: setting(limits, {
    default: '3/24h,5/ever',
    meaning:
      "Calls from one visitor's page. `ever` counts since the beginning, or since `heyline calls reset SLUG`.",
  }),
  CALL_LIMIT_SLUG_CONCURRENT: setting(most, {
    default: '1',
    meaning: "Calls from one visitor's page at the same time.",
  }),
  CALL_LIMIT_ADDRESS: setting(limits, {
    default: '2/1h,3/24h',
    meaning:
      "Requests from one client's address: an IPv4 address, or the /64 of an IPv6 address. Requests count too that were refused by a limit, or because the number had a call in flight.",
  }),
  CALL_LIMIT_ADDRESS_NUMBERS: setting(numbersLimit, {
    default: '3/1h:24h',
    meaning:
      'An address that has asked for this many different numbers is refused for the time behind the colon. Numbers that are never called do not count.',
  }),
  CALL_LIMIT_NETWORK: setting(limits, {
    default: '6/1h',
    meaning:
      "Requests from one client's network: the /24 of an IPv4 address, or the /48 of an IPv6 address. The same refused requests count too.",
  }),
  CALL_LIMIT_PREFIX: setting(limits, {
    default: '3/1h,5/24h',
    meaning: 'Calls to numbers that differ in their last four digits only.',
  }),
  CALL_LIMIT_COUNTRY: setting(limits, {
    default: '20/1h',
    meaning: 'Calls to one country. One network has at most half of what others leave.',
  }),
  CALL_LIMIT_STARTS: setting(limits, {
    default: '5/1m,50/24h',
    meaning: 'All calls: how many begin. One network has at most half of what others leave.',
  }),
  CALL_LIMIT_CONCURRENT: setting(most, {
    default: '5',
    meaning:
      'All calls: how many run at the same time. One network has at most half of what others leave. Calls to our numbers hold half of them at most, rounded down, and so none of 1; of these, callers whose number is not proven hold half, or one: of 5 one, of 8 two.',
  }),
  CALL_LIMIT_DAY_USD: setting(budget, {
    default: '10',
    meaning:
      'The budget of any 24 hours, in US dollars. Before a call is dialled, the price of the longest call is set aside. One network may use at most half of what others leave of it, or one call if that is more. Calls to our numbers may use at most half of what the calls that we place leave. A budget that the longest call does not fit stops the start of the server.',
  }),
  CALL_LIMIT_MONTH_USD: setting(budget, {
    default: '100',
    meaning: 'The budget of any 31 days, in US dollars, by the same rule.',
  }),
  CALL_LIMIT_SECONDS: setting(wholeNumber(10, LONGEST_SECONDS), {
    default: '180',
    meaning: `The longest call, in seconds: 10 to ${LONGEST_SECONDS}.`,
  }),
  CALL_BREAKER_FAILURES: setting(oneLimit, {
    default: '5/2m',
    meaning:
      'The circuit breaker stops all dialling until `heyline calls resume`. This one opens it after so many calls of which half or more failed, if no more came through. Of each network, visitor (where so many are called) and number only one failed call counts, and calls to our numbers do not.',
  }),
  CALL_BREAKER_LONGEST: setting(oneLimit, {
    default: '3/10m',
    meaning:
      'Opens the circuit breaker after so many calls that lasted as long as a call may last. Of each network and of each visitor (where fewer visitors are called: of each number) only one counts, and calls to our numbers do not.',
  }),
  CALL_BREAKER_SPEND: setting(factor, {
    default: '3',
    meaning:
      'Opens the circuit breaker when a day costs so many times the average of the seven days before, and more than half of `CALL_LIMIT_DAY_USD`. What the network spent that spent most does not count, nor do calls to our numbers.',
  }),
  WEB_CALL_LIMIT_ADDRESS: setting(limits, {
    default: '12/10m,40/24h',
    meaning:
      "Calls in the browser from one client's address: an IPv4 address, or the /64 of an IPv6 address. Refused ones do not count.",
  }),
  WEB_CALL_LIMIT_ADDRESS_CONCURRENT: setting(most, {
    default: '3',
    meaning: 'Calls in the browser from one address at the same time.',
  }),
  WEB_CALL_LIMIT_NETWORK: setting(limits, {
    default: '36/10m,200/24h',
    meaning:
      "Calls in the browser from one client's network: the /24 of an IPv4 address, or the /48 of an IPv6 address.",
  }),
  WEB_CALL_LIMIT_SLUG: setting(limits, {
    default: '60/1h,200/24h',
    meaning:
      "Calls in the browser from one visitor's page. `ever` counts since the beginning, or since `heyline calls reset SLUG`. One network may begin at most half of what others leave of them in a span, or as many as one address may begin if that is more.",
  }),
  WEB_CALL_LIMIT_STARTS: setting(limits, {
    default: '60/1m,1000/24h',
    meaning:
      'All calls in the browser: how many begin. One network may begin at most half of what others leave of them in a span, or as many as one address may begin if that is more.',
  }),
  WEB_CALL_LIMIT_CONCURRENT: setting(most, {
    default: '20',
    meaning:
      'All calls in the browser: how many run at the same time. One network holds at most half of those that other networks leave, and may have one in any case. Where the servers hold fewer calls (`CONVERSATIONS_MOST` of all of them), it is half of those.',
  }),
  WEB_CALL_LIMIT_DAY_USD: setting(budget, {
    default: '20',
    meaning:
      'The budget of all calls in the browser in any 24 hours, in US dollars. Before a call begins, the price of the longest one is set aside. One network may use at most half of what others leave of it, or one call if that is more. Phone calls have budgets of their own.',
  }),
  WEB_CALL_LIMIT_MONTH_USD: setting(budget, {
    default: '200',
    meaning: 'The budget of any 31 days, in US dollars, by the same rule.',
  }),
  WEB_CALL_LIMIT_SECONDS: setting(wholeNumber(30, LONGEST_WEB_SECONDS), {
    default: '600',
    meaning: `The longest call in the browser, in seconds: 30 to ${LONGEST_WEB_SECONDS}.`,
  }),
  WEB_CALL_PRICE: setting(price, {
    meaning:
      'The highest price of a minute in the browser, in US dollars; `0` if it costs nothing. Without a value: `0.20` where the platform is hosted, or an engine is (its URL does not lead to this machine), and `0` otherwise.',
  }),
  CALL_DISCLOSURE: setting(words(500), {
    meaning:
      'Every call begins with this text, and nobody can talk over it. It should say who calls, that it is an AI assistant, and how to stop the calls. At most 500 characters. `{company}` becomes `COMPANY_NAME`; nothing else is filled in. Without a value: a text of ours.',
  }),
  COMPANY_NAME: setting(words(100), {
    default: 'Heyline',
    meaning: 'Who calls. Set it where calls are real.',
  }),
  HUMAN_CHECK: setting(
    z.enum(['altcha', 'turnstile', 'off'], { error: 'is neither altcha nor turnstile nor off' }),
    {
      meaning:
        "`altcha`: the visitor's browser works for a moment on a task that our server sets; the visitor does not notice it. `turnstile`: Cloudflare's widget, which needs both keys below. `off`: no check. Without a value: `off` with the simulated carrier of the built-in platform, `altcha` where calls are real.",
    },
  ),
  TURNSTILE_SITE_KEY: setting(secret(1), {
    meaning: 'Needed with `HUMAN_CHECK=turnstile`. The page carries it.',
  }),
  TURNSTILE_SECRET_KEY: setting(secret(1), { meaning: 'Needed with `HUMAN_CHECK=turnstile`.' }),
  TURNSTILE_URL: setting(httpUrl, {
    default: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    meaning: 'Where the tokens of the widget are verified.',
  }),
  LIVE_STATUS: setting(onOff, { default: 'off', meaning: '`on`: a line under the form follows the call.' }),
  CALL_TRANSCRIPT_DAYS: setting(wholeNumber(1, 3_650), {
    default: '90',
    meaning:
      'How many days the words of a call are kept, 1 to 3650: transcripts and summaries, and in the records of the built-in platform also messages, prompts and what else a call was given, chats, sessions, support tickets and test runs.',
  }),
  CALL_RECORDING_DAYS: setting(wholeNumber(1, 3_650), {
    default: '30',
    meaning:
      'How many days recordings are kept, 1 to 3650. A recording never outlives the words or the record of its call.',
  }),
  CALL_ADDRESS_DAYS: setting(wholeNumber(1, 3_650), {
    default: '30',
    meaning:
      "How many days the clients' addresses and networks are kept, 1 to 3650. Nothing is deleted while a limit may still count it.",
  }),
  CALL_REFUSED_DAYS: setting(wholeNumber(1, 3_650), {
    default: '30',
    meaning:
      'How many days refused requests are kept, and calls to us that nobody has confirmed, 1 to 3650. Their events are kept for 32 days at least.',
  }),
  CALL_RECORD_DAYS: setting(wholeNumber(32, 3_650), {
    default: '365',
    meaning:
      "How many days the records of calls are kept, 32 to 3650: the desk's with their money, and those of the built-in platform. A visitor's lifetime limit goes on counting the calls that were removed. With `ever` in any other limit, the records that it counts are kept for ever.",
  }),
  CALL_AUDIT_DAYS: setting(wholeNumber(1, 3_650), {
    default: '365',
    meaning: 'How many days the audit is kept, 1 to 3650.',
  }),
}

/** The names of guards begin with these. An unknown name with such a beginning is a mistake, and its guard would be missing. */
const GUARDS = ['CALL_LIMIT_', 'CALL_BREAKER_', 'CALL_', 'WEB_CALL_']
/** Begins in the same way, but is no setting of the desk. */
const WEBHOOK = 'CALL_WEBHOOK_URL'

/** What is wrong with a variable that is named like a setting of the call desk, but is not one of them. */
export function unknownGuard(name: string): string | undefined {
  const beginning = GUARDS.find((beginning) => name.startsWith(beginning))
  if (!beginning || name === WEBHOOK || Object.hasOwn(callEnvironment, name)) return undefined
  const known = [WEBHOOK, ...Object.keys(callEnvironment)].filter((known) => known.startsWith(beginning))
  return `there is no such setting: there are ${known.join(', ')}`
}
