import { createReadStream } from 'node:fs'
import type { NewVisitor } from '@heyline/backend'
import { type BadRow, type CsvRecord, csvRecords } from './csv-records.js'
import { decodeUtf8 } from './utf8-lines.js'
import { FILE_COLUMNS, type FileColumn, isColumn } from './visitor-columns.js'
import { quoted, visitorOf } from './visitor-of-fields.js'

const NEEDED: readonly FileColumn[] = ['slug', 'name']

/** How many rows are handed on at once. */
const BATCH_ROWS = 1000

export interface VisitorRow {
  line: number
  visitor: NewVisitor
}

/** A part of a file. */
export interface VisitorRows {
  /** The columns that the header names; empty where it can't be used. */
  columns: FileColumn[]
  rows: VisitorRow[]
  bad: BadRow[]
  /** How much of the file has been read so far, in bytes. */
  bytes: number
}

/** Reads a CSV file of visitors, checking row by row; what can't be taken is named and the rest is read on. */
export async function* readVisitorRows(file: string): AsyncGenerator<VisitorRows> {
  const stream = createReadStream(file)
  let bad: BadRow[] = []
  let rows: VisitorRow[] = []
  let columns: FileColumn[] | undefined
  const part = (): VisitorRows => ({ columns: columns ?? [], rows, bad, bytes: stream.bytesRead })
  try {
    for await (const record of csvRecords(decodeUtf8(stream, (row) => bad.push(row)))) {
      if ('reason' in record) bad.push(record)
      else if (!columns) {
        columns = headerOf(record, bad)
        if (columns.length === 0) break
      } else {
        const row = visitorOf(columns, record)
        if ('reason' in row) bad.push({ line: record.line, reason: row.reason })
        else rows.push({ line: record.line, visitor: row.visitor })
      }
      if (rows.length + bad.length < BATCH_ROWS) continue
      yield part()
      bad = []
      rows = []
    }
  } finally {
    stream.destroy()
  }
  if (!columns && bad.length === 0)
    bad.push({
      line: 1,
      reason: `the file is empty: its first row names the columns ${FILE_COLUMNS.join(', ')}`,
    })
  yield part()
}

/** The columns as the header names them; none, and why, where it can't be used. */
function headerOf({ line, fields }: CsvRecord, bad: BadRow[]): FileColumn[] {
  const names = fields.map((field) => field.trim().toLowerCase())
  const columns = names.filter(isColumn)
  const unknown = fields.filter((_, index) => !isColumn(names[index] ?? ''))
  const reasons = [
    ...unknown.map(
      (name) =>
        `unknown column ${quoted(name)}: those known are ${FILE_COLUMNS.join(', ')}, separated by commas`,
    ),
    ...columns
      .filter((name, index) => columns.indexOf(name) < index)
      .map((name) => `column ${quoted(name)} is there twice`),
    ...NEEDED.filter((name) => !columns.includes(name)).map((name) => `column "${name}" is missing`),
  ]
  for (const reason of reasons) bad.push({ line, reason })
  return reasons.length > 0 ? [] : columns
}
