import type { MetadataJson } from 'libphonenumber-js/core'
import { nationalDigits } from './calling-code.js'

/** How many digits a national number has (spec 9), in every country. */
const MIN_DIGITS = 2
export const MAX_DIGITS = 17

/** True when no number was entered: nothing, a bare calling code such as `+49`, or a digit that is none yet. */
export function isWithoutNumber(phone: string | undefined, metadata: MetadataJson): boolean {
  return nationalDigits(phone, metadata).length < MIN_DIGITS
}
