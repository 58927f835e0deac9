import {
  type CountryCode,
  Metadata,
  type MetadataJson,
  parseDigits,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/core'

/**
 * The digits behind a `+`, or behind what `country` dials before a foreign number (00, 011, 0011, …), when `text` begins
 * with one; undefined for a national number. `00` counts everywhere, unless the country's own prefix may begin with it
 * and the rest is still to be typed (`ended` false).
 */
export function internationalDigits(
  text: string,
  country: CountryCode,
  metadata: MetadataJson,
  ended = false,
): string | undefined {
  const digits = parseDigits(text)
  if (/^\P{Nd}*\+/u.test(text.normalize('NFKC'))) return digits
  const plan = new Metadata(metadata)
  plan.selectNumberingPlan(country)
  const own = plan.numberingPlan?.IDDPrefix() ?? ''
  // Other prefixes (99, 119, 020, …) may be the beginning of a national number.
  const prefixes = `${/^0(0|\d\d$)/.test(own) ? own : '00'}${ended || !own.startsWith('00') ? '|00' : ''}`
  const prefix = RegExp(`^(?:${prefixes})`).exec(digits)?.[0]
  return prefix?.startsWith('0') ? digits.slice(prefix.length) : undefined
}

/**
 * The E.164 number in a text that names its own country (`+44…`, `0044…`, `tel:+44…`); undefined for every other text,
 * which the phone field reads as a national number.
 */
export function wholeNumber(text: string, country: CountryCode, metadata: MetadataJson): string | undefined {
  const digits = internationalDigits(text, country, metadata, true)
  if (!digits) return undefined
  const number = parsePhoneNumberFromString(text, metadata)
  return (number ?? parsePhoneNumberFromString(`+${digits}`, metadata))?.number
}

/** True for an `input` event that replaced the text at once (autofill, a password manager), not for typing or deleting. */
export function replacedAtOnce({
  inputType = '',
  data,
}: {
  inputType?: string
  data?: string | null
}): boolean {
  return !/^delete|Composition/.test(inputType) && data?.length !== 1
}
