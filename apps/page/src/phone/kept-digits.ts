import { type CountryCode, type MetadataJson, parsePhoneNumberFromString } from 'libphonenumber-js/core'
import { callingCodeOf, nationalDigits } from './calling-code.js'

/**
 * The number after another country was chosen: the field leaves nothing but its calling code (`after`), here the digits
 * of `before` follow it. Not when they would be a number of a third country that shares the code: the field would
 * select that one, and the country just chosen could not be chosen.
 */
export function withKeptDigits(
  before: string | undefined,
  after: string | undefined,
  country: CountryCode,
  metadata: MetadataJson,
): string | undefined {
  if (!before || !after || nationalDigits(after, metadata)) return after
  if (callingCodeOf(before, metadata) === callingCodeOf(after, metadata)) return after
  const number = parsePhoneNumberFromString(after + nationalDigits(before, metadata), metadata)
  return number && (number.country ?? country) === country ? number.number : after
}
