import { parse } from 'csv-parse/sync'
import { decoded } from './plain-text.js'
import { type Section, Sections, UnreadableFile } from './section.js'

/** Longest row, in characters. */
const MOST_ROW = 100_000

/** A line for each row: its fields with the names of their columns, so that a passage can be read by itself. */
export function csvText(content: Uint8Array): Section[] {
  const text = decoded(content)
  let rows: string[][]
  try {
    rows = parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      max_record_size: MOST_ROW,
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
