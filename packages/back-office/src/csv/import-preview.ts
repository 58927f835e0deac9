import { likeSlug, type NewVisitor, offeredSlug, privateSlug, VisitorError } from '@heyline/backend'
import { type CsvRecord, csvRecords } from './csv-records.js'
import type { Pass } from './file-turns.js'
import { type FileColumn, guessColumns } from './visitor-columns.js'
import { fieldsByColumn, type RowFields, visitorOf, visitorOfFields } from './visitor-of-fields.js'

export interface ImportPreviewOptions {
  /** What each part of the header is, in its order; null for what is of no use. Left out: guessed. */
  columns?: (FileColumn | null)[] | undefined
  /** Each slug gets a random ending; where there is no slug, it is made from the name. */
  private?: boolean | undefined
  /** Ends the reading once it is aborted, with its reason. */
  left?: AbortSignal | undefined
  /** Lets other files be read first, now and then. */
  pass?: Pass | undefined
  /** Those of the slugs that are stored already; case does not count. */
  taken(slugs: string[]): Promise<string[]>
}

/** A row that can be stored, or one that can not and why. */
export type PreviewRow =
  | { line: number; visitor: NewVisitor; isStored: boolean }
  | { line: number; reason: string; fields: RowFields }

export interface ImportPreview {
  header: string[]
  columns: (FileColumn | null)[]
  rows: PreviewRow[]
}

/** Most rows of one preview: all of them are shown. */
const MOST_ROWS = 50_000
/** Slugs that are asked for at once. */
const TAKEN_AT_ONCE = 5_000

/** Reads a CSV text as an import would, and stores nothing. Rejects with a `VisitorError` for more than 50,000 rows. */
export async function previewImport(
  csv: string,
  { columns: given, private: isPrivate = false, left, pass, taken }: ImportPreviewOptions,
): Promise<ImportPreview> {
  let header: string[] | undefined
  let columns: (FileColumn | null)[] = []
  const rows: PreviewRow[] = []
  const lines = new Map<string, number>()
  for await (const record of csvRecords(textOf(csv), { delimiter: delimiterOf(csv), left, pass })) {
    if ('reason' in record) rows.push({ ...record, fields: {} })
    else if (!header) {
      header = record.fields.map((field) => field.trim())
      columns = given?.length === header.length ? given : guessColumns(header)
    } else rows.push(rowOf(record, columns, isPrivate, lines))
    if (rows.length > MOST_ROWS)
      throw new VisitorError('too_large', `The file has more than ${MOST_ROWS} rows: split it`)
  }
  return { header: header ?? [], columns, rows: await marked(rows, taken) }
}

/** Without its byte order mark. */
async function* textOf(csv: string): AsyncGenerator<string> {
  yield csv.replace(/^\uFEFF/, '')
}

/** Spreadsheets part fields by what is usual in their country. */
function delimiterOf(csv: string): string {
  const first = csv.slice(0, 10_000).split('\n', 1)[0] ?? ''
  const counts = [',', ';', '\t'].map((sign) => ({ sign, count: first.split(sign).length }))
  return counts.reduce((most, next) => (next.count > most.count ? next : most)).sign
}

function rowOf(
  record: CsvRecord,
  columns: (FileColumn | null)[],
  isPrivate: boolean,
  lines: Map<string, number>,
): PreviewRow {
  const { line } = record
  const fields = fieldsByColumn(columns, record)
  const isWhole = record.fields.length === columns.length
  const made = isWhole && isPrivate ? visitorOfFields(withPrivateSlug(fields)) : visitorOf(columns, record)
  if ('reason' in made) return { line, reason: made.reason, fields }
  const { slug } = made.visitor
  const before = lines.get(slug.toLowerCase())
  if (before !== undefined)
    return { line, reason: `slug "${slug}" is on line ${before} already (case does not count)`, fields }
  lines.set(slug.toLowerCase(), line)
  return { line, visitor: made.visitor, isStored: false }
}

/** A slug that may not be one stays as it is, so that it is refused with its own words. */
function withPrivateSlug(fields: RowFields): RowFields {
  if (!fields.slug) return { ...fields, slug: offeredSlug(fields.name ?? '') }
  const { slug } = fields
  try {
    return { ...fields, slug: privateSlug(slug) }
  } catch (error) {
    if (!(error instanceof VisitorError)) throw error
    return { ...fields, slug: likeSlug(slug) }
  }
}

async function marked(rows: PreviewRow[], taken: ImportPreviewOptions['taken']): Promise<PreviewRow[]> {
  const slugs = rows.flatMap((row) => ('visitor' in row ? [row.visitor.slug] : []))
  const stored = new Set<string>()
  for (let at = 0; at < slugs.length; at += TAKEN_AT_ONCE)
    for (const slug of await taken(slugs.slice(at, at + TAKEN_AT_ONCE))) stored.add(slug.toLowerCase())
  return rows.map((row) =>
    'visitor' in row ? { ...row, isStored: stored.has(row.visitor.slug.toLowerCase()) } : row,
  )
}
