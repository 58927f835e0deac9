import type { GateSettings } from './gate-settings.js'
import type { Refusal } from './refusal.js'

/**
 * What the calls are counted by: the limits in the settings, the column that must be the same, and whether attempts count too that were
 * refused for something held against who asked. They do for those who ask alone: else some attempts of one person would close a number, its
 * block of ten thousand, or a country to everybody. Theirs come first: what they may not ask, they are told nothing about.
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

export type LimitKind = (typeof LIMIT_KINDS)[number]
export type LimitName = LimitKind['limits']
