import type { BadRow } from '@heyline/back-office/csv'

/** What a command refuses or could not do; the message says what to do. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError'
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** How many rows are named to a person; with `--json` all of them are. */
const SHOWN = 50

/** Rows of a file that can't be taken, each named; nothing of the file was stored. */
export class RowsRefused extends CommandError {
  override readonly name = 'RowsRefused'
  readonly rows: BadRow[]
  /** The first line of the message. */
  readonly summary: string

  constructor(file: string, bad: BadRow[]) {
    const rows = bad.toSorted((a, b) => a.line - b.line)
    const summary = `${rows.length} row${rows.length === 1 ? '' : 's'} of ${file} can't be taken; nothing was stored`
    const lines = rows.slice(0, SHOWN).map(({ line, reason }) => `  line ${line}: ${reason}`)
    if (rows.length > SHOWN) lines.push(`  and ${rows.length - SHOWN} more: --json names them all`)
    super('rows_refused', [`${summary}:`, ...lines].join('\n'))
    this.rows = rows
    this.summary = summary
  }
}
