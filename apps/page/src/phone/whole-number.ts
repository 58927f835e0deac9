import { type MetadataJson, parsePhoneNumberFromString } from 'libphonenumber-js/core'

/**
 * The E.164 number in a text that names its own country (`+44…`, `0044…`, `tel:+44…`); undefined for every other text,
 * which the phone field reads as a national number.
 */
export function wholeNumber(text: string, metadata: MetadataJson): string | undefined {
  const international = text.trim().replace(/^([^\d+]*)00/, '$1+')
  if (!/^[^\d]*\+/.test(international)) return undefined
  return parsePhoneNumberFromString(international, metadata)?.number
}

/** True for an `input` event that replaced the text at once (autofill, a password manager), not for typing or deleting. */
export function replacedAtOnce({
  inputType = '',
  data,
}: Pick<InputEvent, 'data'> & { inputType?: string }): boolean {
  return !/^delete|Composition/.test(inputType) && data?.length !== 1
}
