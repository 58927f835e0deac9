import type { RaisedLimit } from '@heyline/call-desk'

/** Which setting stands behind each part of the gate. */
const NAMES: Readonly<Record<string, string>> = {
  countries: 'CALL_COUNTRIES',
  blockedPrefixes: 'CALL_BLOCKED_PREFIXES',
  numberLimits: 'CALL_LIMIT_NUMBER',
  slugLimits: 'CALL_LIMIT_SLUG',
  slugConcurrent: 'CALL_LIMIT_SLUG_CONCURRENT',
  addressLimits: 'CALL_LIMIT_ADDRESS',
  addressNumbers: 'CALL_LIMIT_ADDRESS_NUMBERS',
  networkLimits: 'CALL_LIMIT_NETWORK',
  prefixLimits: 'CALL_LIMIT_PREFIX',
  countryLimits: 'CALL_LIMIT_COUNTRY',
  startLimits: 'CALL_LIMIT_STARTS',
  concurrent: 'CALL_LIMIT_CONCURRENT',
  dayBudget: 'CALL_LIMIT_DAY_USD',
  monthBudget: 'CALL_LIMIT_MONTH_USD',
  maxSeconds: 'CALL_LIMIT_SECONDS',
  hours: 'CALL_HOURS',
  'breaker.failures': 'CALL_BREAKER_FAILURES',
  'breaker.longest': 'CALL_BREAKER_LONGEST',
  'breaker.spendFactor': 'CALL_BREAKER_SPEND',
}

/** The settings behind raised limits, each once; countries are told one by one (`countries.GB`). */
export function guardNames(raised: readonly RaisedLimit[]): string[] {
  const names = raised.map(({ setting }) => NAMES[setting.replace(/^countries\..*/, 'countries')] ?? setting)
  return [...new Set(names)]
}
