import type { GateSettings } from './gate-settings.js'
import type { Refusal } from './refusal.js'

/**
 * What the calls are counted by: the limits in the settings, the column that must be the same, and whether refused attempts count too. They
 * don't for a country: some twenty attempts of one person would close it to everybody.
 */
export const LIMIT_KINDS = [
  { refusal: 'limit_number', limits: 'numberLimits', column: 'phone', countsRefused: false },
  { refusal: 'limit_slug', limits: 'slugLimits', column: 'slug', countsRefused: false },
  { refusal: 'limit_address', limits: 'addressLimits', column: 'address', countsRefused: true },
  { refusal: 'limit_network', limits: 'networkLimits', column: 'network', countsRefused: true },
  { refusal: 'limit_prefix', limits: 'prefixLimits', column: 'prefix', countsRefused: true },
  { refusal: 'limit_country', limits: 'countryLimits', column: 'country', countsRefused: false },
  { refusal: 'limit_starts', limits: 'startLimits', column: undefined, countsRefused: false },
] as const satisfies readonly {
  refusal: Refusal
  limits: keyof GateSettings
  column: string | undefined
  countsRefused: boolean
}[]

export type LimitKind = (typeof LIMIT_KINDS)[number]
export type LimitName = LimitKind['limits']
