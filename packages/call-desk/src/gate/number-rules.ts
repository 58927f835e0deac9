import type { PhoneNumber } from '../call/phone-number.js'
import type { GateSettings } from './gate-settings.js'
import type { Refusal } from './refusal.js'

/** Kinds of numbers that are ordinary lines of people. */
const ORDINARY: ReadonlySet<PhoneNumber['type']> = new Set(['FIXED_LINE', 'MOBILE', 'FIXED_LINE_OR_MOBILE'])

/** Kinds of numbers that cost the caller more than an ordinary line. */
const PREMIUM: ReadonlySet<PhoneNumber['type']> = new Set(['PREMIUM_RATE', 'SHARED_COST'])

/**
 * Numbers of the North American plan that ring no person: in every area the exchanges of the N11 services (411, 911…), the access codes of
 * carriers (950), the test lines (958, 959), and directory assistance (555-1212). To the library's metadata they are ordinary lines.
 */
const SERVICES_OF_AREAS = /^\+1\d{3}(?:[2-9]11|950|958|959|5551212)/

/** Why a number is never called, whoever asks and however often; undefined where it may be. */
export function refuseNumber(
  number: PhoneNumber,
  { countries, blockedPrefixes }: Pick<GateSettings, 'countries' | 'blockedPrefixes'>,
  ownNumbers: readonly string[],
): Refusal | undefined {
  if (!countries.has(number.country)) return 'country_not_allowed'
  if (PREMIUM.has(number.type)) return 'premium_blocked'
  if (!ORDINARY.has(number.type) || SERVICES_OF_AREAS.test(number.e164)) return 'type_not_allowed'
  if (blockedPrefixes.some((prefix) => beginsWith(number.e164, prefix))) return 'prefix_blocked'
  if (ownNumbers.includes(number.e164)) return 'prefix_blocked'
  return undefined
}

/** Whether a number begins with a prefix, in which `?` stands for any digit. */
function beginsWith(e164: string, prefix: string): boolean {
  return [...prefix].every((sign, place) => (sign === '?' ? place < e164.length : sign === e164[place]))
}
