import { pipeline, Readable } from 'node:stream'
import { type CsvError, parse } from 'csv-parse'

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

interface ParsedRecord {
  record: string[]
  info: { lines: number }
  raw: string
}

/**
 * The records of a CSV text (RFC 4180, LF or CRLF) and the damaged rows, in order. Blank lines are left out. Fields are parted by a comma
 * unless another delimiter is given.
 */
export async function* csvRecords(
  texts: AsyncIterable<string>,
  delimiter = ',',
): AsyncGenerator<CsvRecord | BadRow> {
  const skipped: { error: CsvError; raw: string }[] = []
  const parser = parse({
    info: true,
    raw: true,
    delimiter,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    skip_records_with_error: true,
    max_record_size: RECORD_LIMIT,
    on_skip: (error, raw) => {
      if (error) skipped.push({ error, raw: raw ?? '' })
    },
  })
  pipeline(Readable.from(texts), parser, () => {}) // its errors end the loop below

  // The library says on which line a record ends, and counts every CR inside of quotes as a line more.
  let surplus = 0
  const lineOf = (end: number, raw: string) => {
    const text = raw.replace(/\r?\n?$/, '')
    surplus += occurrences(text, '\r')
    return end - surplus - occurrences(text, '\n')
  }
  /** What was refused in front of line `end`, up to the first that is fatal. */
  function* refusals(end: number): Generator<BadRow, boolean> {
    while (skipped[0] && linesOf(skipped[0].error) < end) {
      const { error, raw } = skipped.shift() ?? skipped[0]
      const reason = FATAL[error.code]
      yield {
        // At the end of the file the last CR is counted, too.
        line: lineOf(linesOf(error), raw) - (raw.endsWith('\r\n') ? 1 : 0),
        reason: reason ?? 'a quote stands inside of a field that is not quoted',
      }
      if (reason) return true
    }
    return false
  }

  for await (const item of parser) {
    const { record, info, raw } = item as ParsedRecord
    if (yield* refusals(info.lines)) return
    const line = lineOf(info.lines, raw)
    if (record.length > 1 || record[0]?.trim()) yield { line, fields: record }
  }
  yield* refusals(Number.POSITIVE_INFINITY)
}

const linesOf = (error: CsvError): number => Number(error.lines ?? 0)

const occurrences = (text: string, character: string): number => text.split(character).length - 1
