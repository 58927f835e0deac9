import type { Visitor } from '@heyline/backend'
import type { CsvForm } from '@heyline/kit/csv-row'
import { inSlices } from '@heyline/kit/loop-turn'
import { csvHeader, csvRows } from './csv-text.js'
import { FILE_COLUMNS } from './visitor-columns.js'

/** Visitors as a CSV file, a part at a time. */
export async function* visitorsCsv(
  parts: AsyncIterable<Visitor[]>,
  { keepsListed, ...form }: CsvForm & { keepsListed: boolean },
): AsyncGenerator<string> {
  const columns = FILE_COLUMNS.filter((column) => column !== 'listed' || keepsListed)
  yield csvHeader(columns)
  for await (const visitors of inSlices(parts)) yield csvRows(columns, visitors, form)
}
