import { getCountries, getCountryCallingCode, type MetadataJson } from 'libphonenumber-js/core'

/**
 * True when nothing but a country was chosen: the field then holds nothing or a bare calling code such as `+49`.
 * No calling code is the beginning of another one (E.164), so a number with a digit more never counts.
 */
export function isWithoutNumber(phone: string | undefined, metadata: MetadataJson): boolean {
  if (!phone) return true
  return getCountries(metadata).some((country) => phone === `+${getCountryCallingCode(country, metadata)}`)
}
