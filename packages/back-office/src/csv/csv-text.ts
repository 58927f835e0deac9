import type { Visitor } from '@heyline/backend'
import { type CsvForm, csvRow } from '@heyline/kit/csv-row'
import type { FileColumn } from './visitor-columns.js'

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
