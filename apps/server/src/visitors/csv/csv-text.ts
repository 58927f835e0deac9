import type { Visitor } from '@heyline/backend'
import type { FileColumn } from './visitor-rows.js'

/** A header, as `visitors import` reads it. */
export const csvHeader = (columns: readonly FileColumn[]): string => `${columns.join(',')}\r\n`

/** Visitors as rows of CSV (RFC 4180). Texts stay as they are: a formula in them is one again in a spreadsheet. */
export const csvRows = (columns: readonly FileColumn[], visitors: Visitor[]): string =>
  visitors.map((visitor) => csvRow(columns.map((column) => visitor[column]))).join('')

type Value = string | number | boolean | null | undefined

/** One row; texts are quoted where they have to be. */
export const csvRow = (values: readonly Value[]): string => `${values.map(field).join(',')}\r\n`

function field(value: Value): string {
  const text = String(value ?? '')
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
