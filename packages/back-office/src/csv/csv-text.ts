import type { Visitor } from '@heyline/backend'
import type { FileColumn } from './visitor-columns.js'

/** How cells are written. */
export interface CsvForm {
  /** For spreadsheets: no cell is a formula there. Whoever reads the file gets an apostrophe more in front of such a cell. */
  safe?: boolean | undefined
}

/** A header, as `visitors import` reads it. */
export const csvHeader = (columns: readonly FileColumn[]): string => `${columns.join(',')}\r\n`

/** Visitors as rows of CSV (RFC 4180). */
export const csvRows = (columns: readonly FileColumn[], visitors: Visitor[], form?: CsvForm): string =>
  visitors
    .map((visitor) =>
      csvRow(
        columns.map((column) => visitor[column]),
        form,
      ),
    )
    .join('')

type Value = string | number | boolean | null | undefined

/** One row; texts are quoted where they have to be. They stay as they are, so a formula in them is one again, unless the form is safe. */
export const csvRow = (values: readonly Value[], { safe = false }: CsvForm = {}): string =>
  `${values.map((value) => field(safe && typeof value === 'string' ? harmless(value) : value)).join(',')}\r\n`

function field(value: Value): string {
  const text = String(value ?? '')
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** What a spreadsheet takes for the beginning of a formula (https://owasp.org/www-community/attacks/CSV_Injection), behind spaces, too. */
const harmless = (text: string): string =>
  /^\s*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) ? `'${text}` : text
