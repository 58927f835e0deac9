import { callRow, callsHeader } from '@heyline/back-office/csv'
import type { CallOffice, CallRecord } from '@heyline/call-desk'
import { withCalls } from '../place/calls-place.js'
import { writeBeside } from '../terminal/new-file.js'
import { printText } from '../terminal/output.js'
import { openProgress } from '../terminal/progress.js'
import type { CommandContext } from '../terminal/terminal.js'
import { counted } from '../terminal/terminal-text.js'

/**
 * `heyline calls export [FILE]`: all calls as CSV, or with `--json` as JSON, one a line. Without a file to standard output; a terminal gets
 * no control characters. `--spreadsheet`: no cell is a formula in a spreadsheet.
 */
export function exportCalls(
  context: CommandContext,
  file: string | undefined,
  { json = false, spreadsheet: safe }: { json?: boolean; spreadsheet?: boolean },
): Promise<void> {
  return withCalls(context, async (calls) => {
    let exported = 0
    const count = (part: CallRecord[]) => {
      exported += part.length
    }
    if (file === undefined) {
      for await (const text of texts(calls, { json, safe }, count))
        await printText(text, context.terminal.out)
      return
    }
    await writeBeside(file, texts(calls, { json, safe }, count))
    openProgress(json, context.terminal.err).say(`wrote ${counted(exported, 'call')} to ${file}`)
  })
}

async function* texts(
  calls: CallOffice,
  { json, safe }: { json: boolean; safe: boolean | undefined },
  count: (part: CallRecord[]) => void,
): AsyncGenerator<string> {
  if (!json) yield callsHeader
  for await (const part of calls.export()) {
    count(part)
    yield part.map((call) => (json ? `${JSON.stringify(call)}\n` : callRow(call, { safe }))).join('')
  }
}
