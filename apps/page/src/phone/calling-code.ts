import type { CountryCode, MetadataJson } from 'libphonenumber-js/core'

/**
 * The calling code that an international number begins with, without its `+`; undefined while no code can be told.
 * No calling code is the beginning of another one (E.164), so its first digits decide.
 */
export function callingCodeOf(phone: string, metadata: MetadataJson): string | undefined {
  return Object.keys(metadata.country_calling_codes).find((code) => phone.startsWith(`+${code}`))
}

/** What stands behind the calling code; empty for a bare calling code and for no number at all. */
export function nationalDigits(phone: string | undefined, metadata: MetadataJson): string {
  const code = phone && callingCodeOf(phone, metadata)
  return phone && code ? phone.slice(code.length + 1) : ''
}

/** The country that a calling code belongs to first, as US to 1 and GB to 44. */
export function mainCountryOf(code: string, metadata: MetadataJson): CountryCode | undefined {
  return Object.entries(metadata.country_calling_codes).find(([key]) => key === code)?.[1][0]
}

/** How many digits a national number has (spec 9), in every country. */
const MIN_DIGITS = 2
export const MAX_DIGITS = 17

/** True when no number was entered: nothing, a bare calling code such as `+49`, or a digit that is none yet. */
export function isWithoutNumber(phone: string | undefined, metadata: MetadataJson): boolean {
  return nationalDigits(phone, metadata).length < MIN_DIGITS
}
