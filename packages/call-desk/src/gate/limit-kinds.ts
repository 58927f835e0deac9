import type { GateSettings } from './gate-settings.js'
import type { Refusal } from './refusal.js'

/**
 * The kinds of limits: the setting, the column that the counted requests share, and whether refused attempts count too. Refused attempts count
 * for addresses and networks only. Otherwise one person's attempts could close a number, its block of ten thousand, or a country to everybody.
 * The limits of addresses and networks come first, so a client over its limit learns nothing about the other limits.
 */
export const LIMIT_KINDS = [
  { refusal: 'limit_address', limits: 'addressLimits', column: 'address', countsRefused: true },
  { refusal: 'limit_network', limits: 'networkLimits', column: 'network', countsRefused: true },
  { refusal: 'limit_number', limits: 'numberLimits', column: 'phone', countsRefused: false },
  { refusal: 'limit_slug', limits: 'slugLimits', column: 'slug', countsRefused: false },
  { refusal: 'limit_prefix', limits: 'prefixLimits', column: 'prefix', countsRefused: false },
  { refusal: 'limit_country', limits: 'countryLimits', column: 'country', countsRefused: false },
  { refusal: 'limit_starts', limits: 'startLimits', column: undefined, countsRefused: false },
] as const satisfies readonly {
  refusal: Refusal
  limits: keyof GateSettings
  column: string | undefined
  countsRefused: boolean
}[]

/** Limits of which one network may have only a share: those of a country, and of all calls. A visitor's page has so few that one person needs them all. */
export const SHARED_LIMITS = ['countryLimits', 'startLimits'] as const satisfies readonly LimitName[]

export type SharedLimitName = (typeof SHARED_LIMITS)[number]

export type LimitKind = (typeof LIMIT_KINDS)[number]
export type LimitName = LimitKind['limits']
