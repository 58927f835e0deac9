import { defaultGate, longestSeconds } from '@heyline/call-desk'
import { z } from 'zod'
import { countries, hours, prefixes } from './call-values.js'
import { factor, limits, most, numbersLimit, oneLimit } from './limit-value.js'
import { budget, dollars } from './money-value.js'
import { httpUrl, onOff, secret, wholeNumber, words } from './value.js'

/** What the call desk reads, with its defaults. `.env.example` says what each is for. */
export const callEnvironment = {
  CALL_GATE: z.enum(['full', 'simulated'], { error: 'is neither full nor simulated' }).optional(),
  CALL_COUNTRIES: countries.prefault('US,CA'),
  CALL_PRICE: dollars.prefault('0.25'),
  CALL_BLOCKED_PREFIXES: prefixes.prefault(defaultGate.blockedPrefixes.join(',')),
  CALL_HOURS: hours.prefault('09-20'),
  CALL_LIMIT_NUMBER: limits.prefault('1/2m,2/1h,3/24h,5/30d'),
  CALL_LIMIT_SLUG: limits.prefault('3/24h,5/ever'),
  CALL_LIMIT_SLUG_CONCURRENT: most.prefault('1'),
  CALL_LIMIT_ADDRESS: limits.prefault('2/1h,3/24h'),
  CALL_LIMIT_ADDRESS_NUMBERS: numbersLimit.prefault('3/1h:24h'),
  CALL_LIMIT_NETWORK: limits.prefault('6/1h'),
  CALL_LIMIT_PREFIX: limits.prefault('3/1h,5/24h'),
  CALL_LIMIT_COUNTRY: limits.prefault('20/1h'),
  CALL_LIMIT_STARTS: limits.prefault('5/1m,50/24h'),
  CALL_LIMIT_CONCURRENT: most.prefault('5'),
  CALL_LIMIT_DAY_USD: budget.prefault('10'),
  CALL_LIMIT_MONTH_USD: budget.prefault('100'),
  CALL_LIMIT_SECONDS: wholeNumber(10, longestSeconds).prefault('180'),
  CALL_BREAKER_FAILURES: oneLimit.prefault('5/2m'),
  CALL_BREAKER_LONGEST: oneLimit.prefault('3/10m'),
  CALL_BREAKER_SPEND: factor.prefault('3'),
  CALL_TRANSCRIPT_DAYS: wholeNumber(1, 3_650).prefault('90'),
  COMPANY_NAME: words(100).prefault('Heyline'),
  CALL_DISCLOSURE: words(500).optional(),
  HUMAN_CHECK: z
    .enum(['altcha', 'turnstile', 'off'], { error: 'is neither altcha nor turnstile nor off' })
    .optional(),
  TURNSTILE_SITE_KEY: secret(1).optional(),
  TURNSTILE_SECRET_KEY: secret(1).optional(),
  TURNSTILE_URL: httpUrl.prefault('https://challenges.cloudflare.com/turnstile/v0/siteverify'),
  LIVE_STATUS: onOff.prefault('off'),
}

/** Guards go by these beginnings: another name of them is a mistake, and the guard would not be there. */
const GUARDS = ['CALL_LIMIT_', 'CALL_BREAKER_', 'CALL_']
/** Goes by the same beginning, and is none of the desk's. */
const WEBHOOK = 'CALL_WEBHOOK_URL'

/** What is wrong with the name of a variable: it looks like a setting of the call desk, and is none. */
export function unknownGuard(name: string): string | undefined {
  const beginning = GUARDS.find((beginning) => name.startsWith(beginning))
  if (!beginning || name === WEBHOOK || Object.hasOwn(callEnvironment, name)) return undefined
  const known = [WEBHOOK, ...Object.keys(callEnvironment)].filter((known) => known.startsWith(beginning))
  return `there is no such setting: there are ${known.join(', ')}`
}
