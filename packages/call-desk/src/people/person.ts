import { parsePhoneNumber } from '../call/phone-number.js'
import { RecordsError } from '../records/records-error.js'

/**
 * Whose rows are meant: those about a telephone number (E.164), or those about a visitor by the slug and by those that the visitor had
 * before, whose case does not count.
 */
export type Person = { number: string } | { visitor: string; formerSlugs?: readonly string[] }

/** Every slug of a visitor; none of a number. */
export const slugsOf = (person: Person): string[] =>
  'visitor' in person ? [person.visitor, ...(person.formerSlugs ?? [])] : []

/** The person whom an operator names; a number in any international form. Rejects with a `RecordsError`, which holds no number. */
export function parsePerson(given: { number?: string | undefined; visitor?: string | undefined }): Person {
  const { number, visitor } = given
  if ((number === undefined) === (visitor === undefined))
    throw new RecordsError('invalid_request', 'Name one person: a telephone number, or a visitor by the slug')
  if (visitor !== undefined) return { visitor }
  const phone = parsePhoneNumber(number ?? '')?.e164
  if (phone !== undefined) return { number: phone }
  throw new RecordsError(
    'invalid_phone',
    'This is no valid international number: write it with + and its country code, without an extension',
  )
}

/** Rows of one table, as they are stored. A table without any has one empty part. */
export interface PersonRows {
  table: string
  rows: unknown[]
}
