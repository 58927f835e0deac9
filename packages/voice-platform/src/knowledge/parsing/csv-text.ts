import { CsvFields, MOST_CSV_FIELDS } from '@heyline/kit/csv-fields'
import { parse } from 'csv-parse/sync'
import { decoded } from './plain-text.js'
import { type Section, Sections, UnreadableFile } from './section.js'

/** Longest row, in characters. */
const MOST_ROW = 100_000

/** A line for each row: its fields with the names of their columns, so that a passage can be read by itself. */
export function csvText(content: Uint8Array): Section[] {
  const text = decoded(content)
  const delimiter = delimiterOf(text)
  const newline = text.includes('\n') ? '\n' : '\r'
  if (new CsvFields({ delimiter, newline, trims: true }).excess(text) !== undefined)
    throw new UnreadableFile(
      `The file has a row of more than ${MOST_CSV_FIELDS} fields. Remove the columns that are of no use.`,
    )
  let rows: string[][]
  try {
    rows = parse(text, {
      bom: true,
      delimiter,
      max_record_size: MOST_ROW,
      record_delimiter: newline === '\n' ? ['\r\n', '\n'] : '\r',
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    })
  } catch (cause) {
    throw new UnreadableFile('The file is no CSV that can be read.', { cause })
  }
  const [names = [], ...records] = rows
  const sections = new Sections()
  if (records.length === 0) sections.add({ text: names.join(', ') })
  const lines = records.map((fields) =>
    fields
      .map((field, index) => (field === '' ? '' : names[index] ? `${names[index]}: ${field}` : field))
      .filter((field) => field !== '')
      .join('; '),
  )
  // A row is a paragraph: passages are cut between rows.
  sections.add({ text: lines.join('\n\n') })
  return sections.all()
}

/** What stands most often in the first line. */
function delimiterOf(text: string): string {
  const [first = ''] = text.slice(0, MOST_ROW).split('\n')
  const [best = ','] = [',', ';', '\t'].toSorted(
    (one, other) => first.split(other).length - first.split(one).length,
  )
  return best
}
