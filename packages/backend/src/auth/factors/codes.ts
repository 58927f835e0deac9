import { createHmac, randomBytes, randomInt } from 'node:crypto'
import { derivedKey } from '@heyline/kit/secret'

/** How many recovery codes somebody has at a time. */
const RECOVERY_CODES = 10

/** Crockford's base32: no letter looks like a digit. https://www.crockford.com/base32.html */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'

/** How people read some letters that are no part of it. */
const MISREAD: Record<string, string> = { o: '0', i: '1', l: '1' }

/** Letters of a recovery code: 80 bits. */
const LENGTH = 16

/** Ten codes such as `7k2m-x9qd-p3ta-0hv4`, to be shown once. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    Array.from(randomBytes(LENGTH), (byte) => LETTERS[byte % LETTERS.length])
      .join('')
      .replace(/.{4}(?=.)/g, '$&-'),
  )

/** The letters of a recovery code, however it was typed: case, spaces and hyphens don't count. Undefined if it can't be one. */
export function recoveryCodeOf(typed: string): string | undefined {
  const letters = typed.toLowerCase().replace(/[\s-]/g, '')
  const read = letters.replace(/[oil]/g, (letter) => MISREAD[letter] ?? letter)
  return read.length === LENGTH && [...read].every((letter) => LETTERS.includes(letter)) ? read : undefined
}

/** Six random digits. */
export const newPhoneCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

/** The six digits of what was typed, without its spaces; undefined if it is anything else. */
export function sixDigitsOf(typed: string): string | undefined {
  const digits = typed.replace(/\s/g, '')
  return /^[0-9]{6}$/.test(digits) ? digits : undefined
}

/** Hashes of short secrets under a key, so that a copy of the database tells nothing of six digits. */
export class KeyedHash {
  readonly #key: Uint8Array

  /** `key`: 32 bytes, the installation's. */
  constructor(key: Uint8Array) {
    this.#key = derivedKey(key, 'heyline auth codes')
  }

  /** `of` says what the secret belongs to: elsewhere the same secret has another hash. Hex. */
  hash(secret: string, of: string): string {
    return createHmac('sha256', this.#key).update(`${of}\0${secret}`).digest('hex')
  }
}
