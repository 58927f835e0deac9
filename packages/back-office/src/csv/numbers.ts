import { parsePhoneNumber } from '@heyline/call-desk'
import { LinesError } from '../lines/lines-error.js'
import { type BadRow, type CsvRecord, csvRecords } from './csv-records.js'
import type { Pass } from './file-turns.js'
import { decodeUtf8 } from './utf8-lines.js'

const COLUMN = 'phone'
const UTF_16 = ['fffe', 'feff']

/** What a file of numbers holds: in E.164, and the lines that can't be taken. */
export interface NumbersFile {
  phones: string[]
  bad: BadRow[]
}

export interface ReadNumbersOptions {
  /** Most rows, good and bad; no bound where it is left out. */
  most?: number | undefined
  /** Ends the reading once it is aborted, with its reason. */
  left?: AbortSignal | undefined
  /** Lets other files be read first, now and then. */
  pass?: Pass | undefined
}

/**
 * Reads a file with a number a line, or a CSV with a column `phone`. No line's text is in what is said of it. Rejects with a `LinesError`
 * where there are more than `most` rows.
 */
export async function readNumbers(
  bytes: AsyncIterable<Buffer>,
  { most = Number.POSITIVE_INFINITY, left, pass }: ReadNumbersOptions = {},
): Promise<NumbersFile> {
  const phones: string[] = []
  const bad: BadRow[] = []
  let header: Header | undefined
  let isText = true
  const texts = decodeUtf8(textOf(bytes), (row) => bad.push(row))
  for await (const record of csvRecords(texts, { left, pass })) {
    if ('reason' in record) bad.push(record)
    else if (!header) {
      header = headerOf(record)
      if (!header.named) take(record, header)
    } else take(record, header)
    if (phones.length + bad.length > most)
      throw new LinesError(`The file has more than ${most} rows: split it`)
  }
  if (!isText) return { phones: [], bad: [{ line: 1, reason: 'the file is not text: save it as CSV UTF-8' }] }
  const isEmpty = !header || (header.named && phones.length === 0)
  if (isEmpty && bad.length === 0)
    bad.push({ line: 1, reason: header ? 'the file is empty but for its header' : 'the file is empty' })
  return { phones, bad }

  /** Up to a NUL, which no text has but one of UTF-16; that is told apart by its beginning. */
  async function* textOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let isFirst = true
    for await (const chunk of chunks) {
      isText = (isFirst && UTF_16.includes(chunk.subarray(0, 2).toString('hex'))) || !chunk.includes(0)
      if (!isText) return
      yield chunk
      isFirst = false
    }
  }

  function take({ line, fields }: CsvRecord, { at, columns, named }: Header) {
    if (fields.length !== columns) {
      const remedy = named ? '' : `; name the column of the numbers "${COLUMN}" in a first row`
      bad.push({ line, reason: `${fields.length} fields where there should be ${columns}${remedy}` })
      return
    }
    const phone = parsePhoneNumber(fields[at] ?? '')
    if (phone !== undefined) phones.push(phone.e164)
    else bad.push({ line, reason: 'no valid international number: + and the country code, no extension' })
  }
}

/** Where the numbers stand. */
interface Header {
  at: number
  columns: number
  /** The first row names the columns, and holds no number. */
  named: boolean
}

function headerOf({ fields }: CsvRecord): Header {
  const at = fields.findIndex((field) => field.trim().toLowerCase() === COLUMN)
  return at < 0 ? { at: 0, columns: 1, named: false } : { at, columns: fields.length, named: true }
}
