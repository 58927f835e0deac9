import { pipeline, Readable } from 'node:stream'
import { setImmediate as othersTurn } from 'node:timers/promises'
import { CsvFields, MOST_CSV_FIELDS } from '@heyline/kit/csv-fields'
import { type CsvError, parse } from 'csv-parse'
import type { Pass } from './file-turns.js'

/** A row of a file that can't be taken. */
export interface BadRow {
  /** Where it begins, from 1. */
  line: number
  /** What is wrong with it, for people. */
  reason: string
}

/** A record as it stands in the file. */
export interface CsvRecord {
  line: number
  fields: string[]
}

/** Longest record, in characters: a name and two texts at their longest, with every quote doubled. */
const RECORD_LIMIT = 300_000

/** Behind these nobody can tell where a record ends. */
const FATAL: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE:
    'something stands behind a closing quote (double the quotes inside of a quoted field); the rows from here on were not read',
  CSV_QUOTE_NOT_CLOSED: 'a quote is never closed; the rows from here on were not read',
  CSV_MAX_RECORD_SIZE: `longer than ${RECORD_LIMIT} characters: is a quote not closed? The rows from here on were not read`,
}

/** Most quotes on one line that stand where none may. The library reads the record again for each of them. */
const STRAY_QUOTES = 50
const STRAY = 'a quote stands inside of a field that is not quoted'
const TOO_MANY =
  'more than 50 quotes stand inside of fields that are not quoted; the rows from here on were not read'

/** Most blank lines: the library takes as long for one as for a row. */
const MOST_BLANK = 20_000
const TOO_BLANK = `more than ${MOST_BLANK} lines are blank: remove them; the rows from here on were not read`

/** The library's own limit counts the characters of fields, and neither delimiters nor empty fields. */
const TOO_WIDE = `more than ${MOST_CSV_FIELDS} fields: remove the columns that are of no use; the rows from here on were not read`

/** How much of a text is read before a look at what was refused, in characters. */
const PIECE = 1_000
/** After so many records it is others' turn: to read a number takes about 60 microseconds. */
const RECORDS_A_TURN = 200

export interface CsvRecordsOptions {
  /** Parts the fields; a comma where it is left out. */
  delimiter?: string | undefined
  /** Ends the reading once it is aborted, with its reason. */
  left?: AbortSignal | undefined
  /** Lets other files be read first, after each 1,000 characters. */
  pass?: Pass | undefined
}

/** A row that was refused. */
interface Skipped {
  /** The line on which it was noticed. */
  line: number
  reason: string
  isFatal: boolean
  raw: string
}

interface ParsedRecord {
  record: string[]
  info: { lines: number }
  raw: string
}

/**
 * The records of a CSV text (RFC 4180, LF or CRLF) and the damaged rows, in order. Blank lines are left out, and a record of more than 1,000
 * fields is the end. Others have their turn after each 1,000 characters and each 200 records.
 */
export async function* csvRecords(
  texts: AsyncIterable<string>,
  { delimiter = ',', left, pass }: CsvRecordsOptions = {},
): AsyncGenerator<CsvRecord | BadRow> {
  const skipped: Skipped[] = []
  let strays = 0
  const fields = new CsvFields({ delimiter })
  let wideLine: number | undefined
  const isOver = () => wideLine !== undefined || skipped.at(-1)?.isFatal === true
  const skip = (error: CsvError, raw: string) => {
    if (skipped.at(-1)?.isFatal) return
    const [line, last] = [Number(error.lines ?? 0), skipped.at(-1)]
    const fatal = FATAL[error.code]
    if (fatal) skipped.push({ line, reason: fatal, isFatal: true, raw })
    else if (last?.line !== line) {
      strays = 1
      skipped.push({ line, reason: STRAY, isFatal: false, raw })
    } else if (++strays > STRAY_QUOTES)
      skipped[skipped.length - 1] = { ...last, reason: TOO_MANY, isFatal: true }
  }
  /** The library goes on behind what is fatal, and holds the text again for each quote: nothing more is given to it. */
  async function* pieces(): AsyncGenerator<string> {
    for await (const text of texts) {
      if (isOver()) return
      for (let at = 0; at < text.length && !isOver(); ) {
        await othersTurn()
        left?.throwIfAborted()
        await pass?.()
        const end = wholeEnd(text, at + PIECE)
        const piece = text.slice(at, end)
        const excess = fields.excess(piece)
        if (excess !== undefined) wideLine = fields.line
        yield piece.slice(0, excess)
        at = end
      }
    }
  }
  const parser = parse({
    info: true,
    raw: true,
    delimiter,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_records_with_error: true,
    max_record_size: RECORD_LIMIT,
    on_skip: (error, raw) => {
      if (error) skip(error, raw ?? '')
    },
  })
  pipeline(Readable.from(pieces(), { highWaterMark: 1 }), parser, () => {}) // its errors end the loop below

  // The library says on which line a record ends, and counts every CR inside of quotes as a line more.
  let surplus = 0
  const lineOf = (end: number, raw: string) => {
    const text = raw.replace(/\r?\n?$/, '')
    surplus += occurrences(text, '\r')
    return end - surplus - occurrences(text, '\n')
  }
  /** What was refused in front of line `end`, up to the first that is fatal. */
  function* refusals(end: number): Generator<BadRow, boolean> {
    while (skipped[0] && skipped[0].line < end) {
      const { line, reason, isFatal, raw } = skipped.shift() ?? skipped[0]
      // At the end of the file the last CR is counted, too.
      yield { line: lineOf(line, raw) - (raw.endsWith('\r\n') ? 1 : 0), reason }
      if (isFatal) return true
    }
    return false
  }

  let records = 0
  let blank = 0
  for await (const item of parser) {
    if (++records % RECORDS_A_TURN === 0) await othersTurn()
    left?.throwIfAborted()
    const { record, info, raw } = item as ParsedRecord
    if (yield* refusals(info.lines)) return
    const line = lineOf(info.lines, raw)
    if (record.length > MOST_CSV_FIELDS) {
      wideLine ??= line
      break
    }
    if (record.length > 1 || record[0]?.trim()) yield { line, fields: record }
    else if (++blank > MOST_BLANK) {
      yield { line, reason: TOO_BLANK }
      return
    }
  }
  if (yield* refusals(Number.POSITIVE_INFINITY)) return
  if (wideLine !== undefined) yield { line: wideLine, reason: TOO_WIDE }
}

const occurrences = (text: string, character: string): number => text.split(character).length - 1

/** Not between the halves of a character. */
const wholeEnd = (text: string, end: number): number =>
  /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end + 1 : end
