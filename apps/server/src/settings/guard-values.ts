import { DEFAULT_GATE, type RaisedLimit } from '@heyline/call-desk/settings'
import { dollarsText } from './money-value.js'

/** Which setting stands behind each part of the gate. */
export const GUARD_NAMES: Readonly<Record<string, string>> = {
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
  'web.addressLimits': 'WEB_CALL_LIMIT_ADDRESS',
  'web.addressConcurrent': 'WEB_CALL_LIMIT_ADDRESS_CONCURRENT',
  'web.networkLimits': 'WEB_CALL_LIMIT_NETWORK',
  'web.slugLimits': 'WEB_CALL_LIMIT_SLUG',
  'web.startLimits': 'WEB_CALL_LIMIT_STARTS',
  'web.concurrent': 'WEB_CALL_LIMIT_CONCURRENT',
  'web.dayBudget': 'WEB_CALL_LIMIT_DAY_USD',
  'web.monthBudget': 'WEB_CALL_LIMIT_MONTH_USD',
  'web.maxSeconds': 'WEB_CALL_LIMIT_SECONDS',
  'breaker.failures': 'CALL_BREAKER_FAILURES',
  'breaker.longest': 'CALL_BREAKER_LONGEST',
  'breaker.spendFactor': 'CALL_BREAKER_SPEND',
}

/** The settings behind raised limits, each once; countries are told one by one (`countries.GB`). */
export function guardNames(raised: readonly RaisedLimit[]): string[] {
  const names = raised.map(
    ({ setting }) => GUARD_NAMES[setting.replace(/^countries\..*/, 'countries')] ?? setting,
  )
  return [...new Set(names)]
}

const UNITS = [
  ['d', 86_400_000, 2],
  ['h', 3_600_000, 1],
  ['m', 60_000, 1],
  ['s', 1_000, 1],
] as const

/** A raised limit as the environment writes it: the setting's name, and both values (`3/1h,5/24h`, `off`). */
export function guardText(raised: RaisedLimit): RaisedLimit {
  const [name = raised.setting] = guardNames([raised])
  const [, country] = raised.setting.split('countries.')
  if (country)
    return {
      setting: name,
      value: `${country}=${dollarsText(Number(raised.value))}`,
      normal: [...DEFAULT_GATE.countries.keys()].join(','),
    }
  const written = (value: unknown) =>
    typeof value === 'number' && name.endsWith('_USD') ? dollarsText(value) : valueText(value)
  return { setting: name, value: written(raised.value), normal: written(raised.normal) }
}

/** A limit, several, a number or hours, as the environment writes them; `off` for none. */
export function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(',') || 'off'
  if (value === undefined || value === 'none') return 'off'
  if (typeof value !== 'object') return String(value)
  const { most, windowMs, blockMs, from, to } = Object(value)
  if (most === undefined) return `${twoDigits(from)}-${twoDigits(to)}`
  return `${most}/${spanText(windowMs)}${blockMs === undefined ? '' : `:${spanText(blockMs)}`}`
}

/** `24h`, `30d`, `ever`. */
export function spanText(ms: unknown): string {
  const [unit, length] =
    UNITS.find(([, unitMs, least]) => Number(ms) % unitMs === 0 && Number(ms) >= least * unitMs) ?? []
  return unit && length ? `${Number(ms) / length}${unit}` : 'ever'
}

const twoDigits = (hour: unknown) => String(hour).padStart(2, '0')
