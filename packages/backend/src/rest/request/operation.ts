import { RestError } from '../../errors/rest-error.js'
import { QUOTED, type Reader, unescaped } from './reader.js'

/** Compare with one value, or with `any` or `all` of a list written as Postgres's array (`{a,b}`). */
const QUANTIFIABLE = ['eq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch'] as const
/** Compare with one value. */
export const PLAIN = ['neq', 'isdistinct', 'cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj'] as const
const STATES = ['null', 'not_null', 'true', 'false', 'unknown'] as const

export type Comparison = (typeof QUANTIFIABLE)[number] | (typeof PLAIN)[number]
export type State = (typeof STATES)[number]

/** A quoted item of a list, up to the comma or parenthesis that ends it. */
const QUOTED_ITEM = new RegExp(`${QUOTED.source}(?=[,)])`, 'sy')

const FULL_TEXT = new Set(['fts', 'plfts', 'phfts', 'wfts'])

/** What a field must pass: `[not.]operator[(any|all)].value`. */
export type Operation = { negated: boolean } & (
  | { operator: Comparison; quantifier?: 'any' | 'all'; value: string }
  | { operator: 'is'; value: State }
  | { operator: 'in'; values: string[] }
)

/** Where it stands: alone, its value is all that follows; in a tree it ends at a comma or parenthesis, unless quoted. */
export type Place = 'alone' | 'in a tree'

/** Whether a text begins as an operation does; the arguments of a function call do not. */
export const isOperation = (text: string): boolean =>
  /^(?:not\.)?(?:eq|neq|gte?|lte?|i?like|i?match|isdistinct|is|in|cs|cd|ov|sl|sr|nxr|nxl|adj|(?:pl|ph|w)?fts)(?:\([^)]*\))?\./.test(
    text,
  )

/** Reads an operation. Full-text search is refused. */
export function readOperation(reader: Reader, place: Place): Operation {
  const negated = reader.skip('not.')
  const [, operator = '', modifier] = reader.take(/([a-z]+)(?:\(([^)]*)\))?\./y) ?? []
  if (FULL_TEXT.has(operator)) throw RestError.notServed(`The operator ${operator}`)
  if (operator === 'is' && modifier === undefined) {
    const name = reader.take(/[a-z_]+/iy)?.[0].toLowerCase()
    const value = STATES.find((state) => state === name)
    if (value) return { negated, operator, value }
    throw reader.unreadable('is takes null, not_null, true, false or unknown')
  }
  if (operator === 'in' && modifier === undefined) return { negated, operator, values: readList(reader) }
  const plain = PLAIN.find((name) => name === operator)
  if (plain && modifier === undefined) return { negated, operator: plain, value: readValue(reader, place) }
  const quantifiable = QUANTIFIABLE.find((name) => name === operator)
  if (!quantifiable || !(modifier === undefined || modifier === 'any' || modifier === 'all'))
    throw reader.unreadable('expected [not.]operator.value, with an operator such as eq')
  const value = readValue(reader, place)
  return { negated, operator: quantifiable, ...(modifier && { quantifier: modifier }), value }
}

/** `(a,"b,c",d)`; `()` is empty. */
function readList(reader: Reader): string[] {
  reader.expect('(')
  if (reader.take(/\s*\)/y)) return []
  const values: string[] = []
  do values.push(readItem(reader))
  while (reader.skip(','))
  reader.expect(')')
  return values
}

function readItem(reader: Reader): string {
  const quoted = reader.take(QUOTED_ITEM)
  if (quoted) return unescaped(quoted[1] ?? '')
  return reader.take(/[^,)]*/y)?.[0] ?? ''
}

function readValue(reader: Reader, place: Place): string {
  if (place === 'alone') return reader.rest()
  // An array's commas are its own.
  return reader.take(/\{[^{}]*\}(?=[,)])/y)?.[0] ?? readItem(reader)
}
