import type { Visitor, Visitors } from '@heyline/backend'
import type { Settings } from '../../settings/settings.js'
import { csvHeader, csvRows } from '../../visitors/csv/csv-text.js'
import { FILE_COLUMNS } from '../../visitors/csv/visitor-rows.js'
import { withVisitors } from '../place/visitors-place.js'
import { writeBeside } from '../terminal/new-file.js'
import { printText } from '../terminal/output.js'
import { openProgress } from '../terminal/progress.js'

/**
 * `heyline visitors export [FILE]`: all visitors as CSV, as `import` reads it, or with `--json` as JSON, one a line.
 * Without a file to standard output.
 */
export function exportVisitors(
  settings: Settings,
  file: string | undefined,
  { json = false }: { json?: boolean },
): Promise<void> {
  return withVisitors(settings, async (visitors) => {
    if (file === undefined) {
      for await (const text of texts(visitors, json, () => {})) await printText(text)
      return
    }
    let exported = 0
    const count = (rows: Visitor[]) => {
      exported += rows.length
    }
    await writeBeside(file, texts(visitors, json, count))
    openProgress(json).say(`wrote ${exported} visitors to ${file}`)
  })
}

async function* texts(
  visitors: Visitors,
  json: boolean,
  count: (rows: Visitor[]) => void,
): AsyncGenerator<string> {
  const columns = FILE_COLUMNS.filter((column) => column !== 'listed' || visitors.keepsListed)
  if (!json) yield csvHeader(columns)
  for await (const rows of visitors.export()) {
    count(rows)
    yield json ? rows.map((row) => `${JSON.stringify(row)}\n`).join('') : csvRows(columns, rows)
  }
}
