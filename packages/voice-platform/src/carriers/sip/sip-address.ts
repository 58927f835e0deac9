import { E164 } from '../e164.js'
import { parseNameAddress, parseUri } from './sip-uri.js'

/** Stand for a number in an address: with its `+`, and without it. */
const NUMBER = '{number}'
const DIGITS = '{digits}'

/** Longest address that is taken as a setting, in characters. */
const LONGEST = 256

/** An address for this number, E.164. */
export const fillAddress = (template: string, number: string): string =>
  template.replaceAll(NUMBER, number).replaceAll(DIGITS, number.slice(1))

/** Whether each number has an address of its own. */
export const namesNumber = (template: string): boolean =>
  template.includes(NUMBER) || template.includes(DIGITS)

/**
 * The number (E.164) that the user of an address stands for: with its `+`, or as the template writes numbers. Undefined where it is none.
 */
export function numberIn(user: string | undefined, template: string): string | undefined {
  const plain = (user ?? '').replace(/;.*$/, '').replace(/^%2B/i, '+')
  if (plain.startsWith('+')) return E164.test(plain) ? plain : undefined
  const [, before = '', word, after = ''] =
    /^sip:([^@]*?)(\{number\}|\{digits\})([^@]*)@/i.exec(template) ?? []
  if (!plain.startsWith(before) || !plain.endsWith(after)) return undefined
  const inside = plain.slice(before.length, plain.length - after.length)
  const number = word === DIGITS ? `+${inside}` : inside
  return E164.test(number) ? number : undefined
}

const EXAMPLE = '+12025550100'

/** Whether this makes a `sip:` address of every number. */
export const isSipTemplate = (text: string): boolean =>
  text.length <= LONGEST && parseUri(fillAddress(text, EXAMPLE)) !== undefined

/** Whether this makes a caller of every number: `sip:…`, or `"Name" <sip:…>`. */
export function isSipCaller(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (text.length > LONGEST || /[\x00-\x1f\x7f]/.test(text)) return false
  const { uri, tag } = parseNameAddress(fillAddress(text, EXAMPLE))
  return uri !== undefined && tag === undefined && /^(sip:[^;]*|[^<]*<[^>]*>)$/i.test(text)
}

/** The same caller, with its address in angle brackets. */
export const inBrackets = (caller: string): string => (caller.endsWith('>') ? caller : `<${caller}>`)

/** A host and a port, as they stand in a header. */
export const hostPort = (host: string, port: number): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`
