import { type NewVisitor, parseNewVisitor, VisitorError } from '@heyline/backend'
import type { CsvRecord } from './csv-records.js'
import type { FileColumn } from './visitor-columns.js'

/** The fields of a row that are of use, by the column they belong to. */
export type RowFields = Partial<Record<FileColumn, string>>

const LISTED: Readonly<Record<string, boolean>> = { true: true, false: false, '': false }

/** A record as a visitor, or why it is none. A column that is null is of no use. */
export function visitorOf(
  columns: readonly (FileColumn | null)[],
  record: CsvRecord,
): { visitor: NewVisitor } | { reason: string } {
  const { fields } = record
  if (fields.length !== columns.length)
    return { reason: `${counted(fields.length)} where the header has ${columns.length}` }
  return visitorOfFields(fieldsByColumn(columns, record))
}

export const fieldsByColumn = (
  columns: readonly (FileColumn | null)[],
  { fields }: Pick<CsvRecord, 'fields'>,
): RowFields =>
  Object.fromEntries(columns.flatMap((column, index) => (column ? [[column, fields[index] ?? '']] : [])))

/** Fields as a visitor, or why they are none. */
export function visitorOfFields({
  slug = '',
  name = '',
  system,
  first_message,
  listed = '',
}: RowFields): { visitor: NewVisitor } | { reason: string } {
  const isListed = LISTED[listed.trim().toLowerCase()]
  if (isListed === undefined) return { reason: `listed is ${quoted(listed)}: it is true, false or empty` }
  try {
    return {
      visitor: parseNewVisitor({ slug, name, system, firstMessage: first_message, listed: isListed }),
    }
  } catch (error) {
    if (!(error instanceof VisitorError)) throw error
    return {
      reason: error.code === 'invalid_slug' ? `slug ${quoted(slug)}: ${error.message}` : error.message,
    }
  }
}

const counted = (fields: number) => `${fields} field${fields === 1 ? '' : 's'}`

/** A field in a message: short, and on one line. */
export const quoted = (text: string) => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
