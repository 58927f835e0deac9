import { visitorsCsv } from '@heyline/back-office/csv'
import type { Visitor, Visitors } from '@heyline/backend/stored-visitors'
import { withVisitors } from '../place/visitors-place.js'
import { writeBeside } from '../terminal/new-file.js'
import { printText } from '../terminal/output.js'
import { openProgress } from '../terminal/progress.js'
import type { CommandContext } from '../terminal/terminal.js'

/**
 * `heyline visitors export [FILE]`: all visitors as CSV, as `import` reads it, or with `--json` as JSON, one a line.
 * Without a file to standard output. `--spreadsheet`: no cell is a formula in a spreadsheet.
 */
export function exportVisitors(
  context: CommandContext,
  file: string | undefined,
  { json = false, spreadsheet: safe }: { json?: boolean; spreadsheet?: boolean },
): Promise<void> {
  return withVisitors(context, async (visitors) => {
    if (file === undefined) {
      for await (const text of texts(visitors, { json, safe }, () => {}))
        await printText(text, context.terminal.out)
      return
    }
    let exported = 0
    const count = (rows: Visitor[]) => {
      exported += rows.length
    }
    await writeBeside(file, texts(visitors, { json, safe }, count))
    openProgress(json, context.terminal.err).say(`wrote ${exported} visitors to ${file}`)
  })
}

async function* texts(
  visitors: Visitors,
  { json, safe }: { json: boolean; safe: boolean | undefined },
  count: (rows: Visitor[]) => void,
): AsyncGenerator<string> {
  if (!json) yield* visitorsCsv(counted(), { safe, keepsListed: visitors.keepsListed })
  else for await (const rows of counted()) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('')

  async function* counted() {
    for await (const rows of visitors.export()) {
      count(rows)
      yield rows
    }
  }
}
