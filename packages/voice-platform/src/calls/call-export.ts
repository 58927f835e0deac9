import type { Db } from '@heyline/database'
import { type CsvValue, csvRow } from '@heyline/kit/csv-row'
import { isHearable, type RecordingRow } from '../recording/recording-row.js'
import type { RecordingUrls } from '../recording/recording-url.js'
import { whereSql } from '../resources/list-window.js'
import { type CallPageFilter, conditionsOf } from './call-archive.js'
import { type ExportColumn, selectOf } from './call-columns.js'

export interface CallExport extends Omit<CallPageFilter, 'limit'> {
  columns: readonly ExportColumn[]
  format: 'csv' | 'json'
  /** Most calls; all of them where it is left out. With it, `page` says which so many. */
  limit?: number | undefined
}

/** People’s words are in it, and it is opened in spreadsheets. */
const SAFE = { safe: true }

/** How many calls are in memory at once: what was said may be long. */
const PART = { withWords: 50, withoutWords: 500 }

type Stored = string | number | Date | RecordingRow | null
interface Row {
  key_id: string
  key_at: Date
  recording?: RecordingRow | null
  [column: string]: Stored | undefined
}

/**
 * The calls as a file, part by part. Each part is a question of its own, which begins behind the last call of the one before: nothing is
 * held in the database while the client reads, and a call is in the file once at most.
 */
export async function* exportOf(db: Db, wanted: CallExport, urls?: RecordingUrls): AsyncGenerator<string> {
  const { columns, format } = wanted
  const isCsv = format === 'csv'
  yield isCsv ? csvRow(columns, SAFE) : '['
  let isFirst = true
  for await (const rows of partsOf(db, wanted)) {
    const values = rows.map((row) => columns.map((column) => cellOf(row, column, urls)))
    if (isCsv) yield values.map((row) => csvRow(row, SAFE)).join('')
    else {
      const objects = values.map((row) =>
        JSON.stringify(Object.fromEntries(columns.map((column, index) => [column, row[index]]))),
      )
      yield `${isFirst ? '' : ','}\n${objects.join(',\n')}`
    }
    isFirst = false
  }
  if (!isCsv) yield '\n]\n'
}

async function* partsOf(db: Db, wanted: CallExport): AsyncGenerator<Row[]> {
  const { columns, limit = Number.POSITIVE_INFINITY, page, sortOrder } = wanted
  const { limit: _, ...window } = wanted
  const { equal, also } = conditionsOf(wanted)
  const size = columns.includes('transcript') ? PART.withWords : PART.withoutWords
  const { sql, parameters } = whereSql(window, equal, also)
  const isBehind = sortOrder === 'DESC' ? '<' : '>'
  let offset = Number.isFinite(limit) ? (page - 1) * limit : 0
  let last: Row | undefined
  for (let left = limit; left > 0; ) {
    const most = Math.min(size, left)
    const all = [...parameters]
    const behind =
      last &&
      `(created_at, id) ${isBehind} ($${all.push(last.key_at)}::timestamptz, $${all.push(last.key_id)}::uuid)`
    const where = behind ? `${sql === '' ? 'where' : `${sql} and`} ${behind}` : sql
    const { rows } = await db.query<Row>(
      `select ${selectOf(columns)} from voice_platform.calls ${where}
       order by created_at ${sortOrder}, id ${sortOrder} limit $${all.push(most)} offset $${all.push(offset)}`,
      all,
    )
    if (rows.length > 0) yield rows
    if (rows.length < most) return
    last = rows.at(-1)
    left -= rows.length
    offset = 0
  }
}

function cellOf(row: Row, column: ExportColumn, urls: RecordingUrls | undefined): CsvValue {
  if (column === 'recordingUrl')
    return urls && isHearable(row.recording) ? urls.of(row.key_id, row.recording.format).mono : null
  const value = row[column]
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'string' || typeof value === 'number' ? value : null
}
