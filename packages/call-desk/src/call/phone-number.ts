import type { NumberParts } from '@heyline/kit/written-number'
import {
  type CountryCode,
  isSupportedCountry,
  type NumberType,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max'

/** Whether a text is the code (ISO 3166, two capitals) of a country that has phone numbers of its own. */
export const isCountry = (code: string): boolean => isSupportedCountry(code)

/** A number that can be called: valid, international, of one country, without an extension. */
export interface PhoneNumber {
  /** `+` and at most 15 digits: the one spelling of the number that is stored, compared and called. */
  e164: string
  /** ISO 3166, two letters. */
  country: CountryCode
  /** What kind of line it is; undefined where that is not known. */
  type: NumberType
  /** The number without its last four digits: what numbers of one block have in common. */
  prefix: string
}

/** E.164: at most 15 digits. */
const LONGEST_E164 = 16

/** What people write a number with. Digits of other scripts, letters, `tel:`, `;ext=` and marks that nobody sees are no part of it. */
const PLAIN_TEXT = /^\+[0-9 \u00a0().\-/]{1,40}$/

/**
 * Reads a number, or gives undefined when it cannot be called: it must be the whole text, with `+` and its country's code, of a country
 * (satellite and other global networks have none), without an extension, and in a range that is assigned. `libphonenumber-js/max` judges;
 * it accepts the fictitious 555-01xx of the United States, so the pocket phone's magic numbers pass.
 */
export function parsePhoneNumber(text: string): PhoneNumber | undefined {
  const trimmed = text.trim()
  if (!PLAIN_TEXT.test(trimmed)) return undefined
  const number = parsePhoneNumberFromString(trimmed, { extract: false })
  if (!number?.country || number.ext || !number.isValid()) return undefined
  const e164 = number.number
  if (e164.length > LONGEST_E164) return undefined
  return { e164, country: number.country, type: number.getType(), prefix: e164.slice(0, -4) }
}

/** The digits of a number in E.164, whether it can be called or not. */
export function numberParts(e164: string): NumberParts {
  const number = parsePhoneNumberFromString(e164, { extract: false })
  if (!number) return { callingCode: '', national: e164.slice(1) }
  const callingCode: string = number.countryCallingCode
  const national = e164.slice(1 + callingCode.length)
  const dialled = number.formatNational().replace(/[^0-9]/g, '')
  return {
    callingCode,
    national,
    trunk: dialled.endsWith(national) ? dialled.slice(0, -national.length) : '',
  }
}
