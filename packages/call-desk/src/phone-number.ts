import { parsePhoneNumberFromString } from 'libphonenumber-js/max'

/**
 * The number in E.164, or undefined when it cannot be called: it must be the whole text, international (with `+`), of a country
 * (satellite and other global networks have none), without an extension, and in a range that is assigned. `libphonenumber-js/max` judges;
 * it accepts the fictitious 555-01xx of the United States, so the pocket phone's magic numbers pass.
 */
export function parsePhoneNumber(text: string): string | undefined {
  const number = parsePhoneNumberFromString(text.trim(), { extract: false })
  if (!number || number.ext || !number.country || !number.isValid()) return undefined
  return number.number
}
