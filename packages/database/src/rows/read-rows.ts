import type { Queryable } from '../db/db.js'
import { type IsKept, type KeptTable, keptTables, quoted, quotedName, sequencesOf } from './kept-tables.js'

/** Some rows of one table. */
export interface RowBatch {
  /** `schema.table`. */
  table: string
  columns: string[]
  /** A JSON array with an array for each row: every value as the text that Postgres prints, or null. */
  rows: string
  count: number
}

/** What is behind the last batch. */
export interface RowsEnd {
  /** How many rows each table has. */
  counts: Record<string, number>
  /** Where each sequence stands. */
  sequences: Record<string, { value: string; isCalled: boolean }>
}

/** So much text is fetched at a time, about. At most so many rows, because those to come may be longer than those before. */
const BATCH_CHARACTERS = 1_000_000
const MOST_ROWS = 500
const FIRST_ROWS = 16

/**
 * All rows of the kept tables, in batches of about a megabyte. In a transaction that sees one moment (`repeatable read`), they are as of that.
 * Returns what is behind the last.
 */
export async function* readRows(tx: Queryable, isKept: IsKept): AsyncGenerator<RowBatch, RowsEnd> {
  // Who may not see all rows is told so, and gets no part of them.
  await tx.exec('set local row_security to off')
  const tables = await keptTables(tx, isKept)
  const counts: Record<string, number> = {}
  for (const table of tables) {
    counts[table.name] = 0
    for await (const batch of readTable(tx, table)) {
      counts[table.name] = (counts[table.name] ?? 0) + batch.count
      yield batch
    }
  }
  // Sequences are of no transaction: read after the rows, they are beyond each of them.
  const sequences: RowsEnd['sequences'] = {}
  for (const name of await sequencesOf(tx, tables)) {
    const { rows } = await tx.query<{ value: string; called: boolean }>(
      `select last_value::text as value, is_called as called from ${quoted(name)}`,
    )
    for (const { value, called } of rows) sequences[name] = { value, isCalled: called }
  }
  return { counts, sequences }
}

async function* readTable(tx: Queryable, { name, columns }: KeptTable): AsyncGenerator<RowBatch> {
  const values = columns.map((column) => `${quotedName(column.name)}::text`).join(', ')
  await tx.exec(
    `declare kept_rows no scroll cursor for select array_to_json(array[${values}]::text[])::text as row from ${quoted(name)}`,
  )
  for (let most = FIRST_ROWS; ; ) {
    const { rows } = await tx.query<{ row: string }>(`fetch ${most} from kept_rows`)
    if (rows.length === 0) break
    const texts = rows.map(({ row }) => row)
    yield {
      table: name,
      columns: columns.map((column) => column.name),
      rows: `[${texts.join(',\n')}]`,
      count: rows.length,
    }
    const characters = texts.reduce((sum, { length }) => sum + length, 0)
    const fitting = Math.floor((BATCH_CHARACTERS * rows.length) / Math.max(1, characters))
    most = Math.max(1, Math.min(fitting, 4 * most, MOST_ROWS))
  }
  await tx.exec('close kept_rows')
}
