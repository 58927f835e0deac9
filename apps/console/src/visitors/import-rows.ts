import { newVisitor } from '@heyline/back-office/visitor-schemas'
import type { Office } from '../office/office.js'

export type ImportPreview = Awaited<ReturnType<Office['visitors']['previewImport']>>
export type PreviewRow = ImportPreview['rows'][number]
export type GoodRow = Extract<PreviewRow, { visitor: unknown }>
export type BadRow = Exclude<PreviewRow, GoodRow>
export type FileColumn = keyof BadRow['fields']

export const isGood = (row: PreviewRow): row is GoodRow => 'visitor' in row

export interface Sums {
  good: number
  bad: number
  stored: number
}

export const sumsOf = (rows: readonly PreviewRow[]): Sums => ({
  good: rows.filter((row) => isGood(row) && !row.isStored).length,
  bad: rows.filter((row) => !isGood(row)).length,
  stored: rows.filter((row) => isGood(row) && row.isStored).length,
})

/** The rows that an import stores. */
export const rowsToStore = (rows: readonly PreviewRow[], replaces: boolean): GoodRow[] =>
  rows.filter(isGood).filter(({ isStored }) => replaces || !isStored)

/** A row with another field, and whether it is good now. `isStored` is asked for apart. */
export function mended(
  row: BadRow,
  column: FileColumn,
  text: string,
  rows: readonly PreviewRow[],
): PreviewRow {
  const fields = { ...row.fields, [column]: text }
  const { slug = '', name = '', system, first_message: firstMessage, listed = '' } = fields
  const isListed = { true: true, false: false, '': false }[listed.trim().toLowerCase()]
  if (isListed === undefined) return { ...row, fields, reason: 'listed is true, false or empty' }
  const checked = newVisitor.safeParse({ slug, name, system, firstMessage, listed: isListed })
  if (!checked.success) return { ...row, fields, reason: checked.error.issues[0]?.message ?? row.reason }
  const twin = rows.find(
    (other) => isGood(other) && other.visitor.slug.toLowerCase() === checked.data.slug.toLowerCase(),
  )
  if (twin)
    return { ...row, fields, reason: `slug "${slug}" is on line ${twin.line} already (case does not count)` }
  return { line: row.line, visitor: checked.data, isStored: false }
}
