import { DO_NOT_CALL_LIMIT, type DoNotCall, type DoNotCallPage } from '@heyline/call-desk'
import { readNumbersFile } from '../../calls/numbers-file.js'
import type { Json } from '../options/json-option.js'
import { limitOf } from '../options/limit-option.js'
import { withCalls } from '../place/calls-place.js'
import { CommandError, RowsRefused } from '../terminal/command-error.js'
import { printText } from '../terminal/output.js'
import { openProgress } from '../terminal/progress.js'
import type { CommandContext, Terminal } from '../terminal/terminal.js'
import { counted, table, timeText } from '../terminal/terminal-text.js'

/** `heyline dnc import FILE`: the whole file is checked first, then stored in one transaction. */
export async function importNumbers(context: CommandContext, file: string, { json }: Json): Promise<void> {
  const progress = openProgress(json, context.terminal.err)
  const { phones, bad } = await readNumbersFile(file).catch((error: unknown) => {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new CommandError('no_file', `${file} can't be read: name a file of numbers`, { cause: error })
  })
  if (bad.length > 0) throw new RowsRefused(file, bad)
  progress.say(`checked ${counted(phones.length, 'number')}`)
  await withCalls(context, async ({ doNotCall }) => {
    const { added } = await doNotCall.import(phones)
    const there = new Set(phones).size - added
    context.terminal.log(
      json
        ? JSON.stringify({ added, numbers: phones.length })
        : `Added ${counted(added, 'number')} to the do-not-call list${there > 0 ? `; ${there} ${there === 1 ? 'was' : 'were'} on it already` : ''}`,
    )
  })
}

/** `heyline dnc add`. */
export function addNumbers(context: CommandContext, numbers: string[], { json }: Json): Promise<void> {
  return withCalls(context, async ({ doNotCall }) => {
    const report = await doNotCall.add(numbers)
    const before = new Set(report.numbers).size - report.added
    const already = before > 0 ? `; ${before} ${before === 1 ? 'was' : 'were'} on it already` : ''
    const line = `Added ${counted(report.added, 'number')} to the do-not-call list${already}`
    context.terminal.log(json ? JSON.stringify(report) : line)
  })
}

/** `heyline dnc remove`. */
export function removeNumber(context: CommandContext, number: string, { json }: Json): Promise<void> {
  return withCalls(context, async ({ doNotCall }) => {
    const removed = await doNotCall.remove(number)
    context.terminal.log(json ? JSON.stringify(removed) : `${removed.number} may be called again`)
  })
}

export interface NumbersOptions extends Json {
  limit?: string
  after?: string
}

/** How many numbers a person is shown at once. */
const SHOWN = 50

/** `heyline dnc list`: by number; with `--json` and no `--limit` all of them, as one array. */
export function listNumbers(context: CommandContext, { json, limit, after }: NumbersOptions): Promise<void> {
  const most = limit === undefined ? undefined : limitOf(limit, DO_NOT_CALL_LIMIT)
  return withCalls(context, async ({ doNotCall }) => {
    if (json && most === undefined) return listAll(context.terminal, doNotCall, after)
    const { numbers, next } = await doNotCall.list({ limit: most ?? SHOWN, after })
    if (json) context.terminal.log(JSON.stringify(numbers, null, 2))
    else if (numbers.length > 0)
      context.terminal.log(
        table(numbers.map(({ phone, source, addedAt }) => [phone, source, timeText(addedAt)])),
      )
    else context.terminal.error('heyline: there are no numbers on the list')
    // What stands on standard error is kept in logs: no number there.
    if (next !== null)
      context.terminal.error('heyline: there are more: add --after with the last of these numbers')
  })
}

async function listAll(terminal: Terminal, doNotCall: DoNotCall, after: string | undefined) {
  let next = after ?? null
  let before = '[\n'
  do {
    const page: DoNotCallPage = await doNotCall.list({ limit: DO_NOT_CALL_LIMIT, after: next ?? undefined })
    for (const number of page.numbers) {
      await printText(`${before}  ${JSON.stringify(number)}`, terminal.out)
      before = ',\n'
    }
    next = page.next
  } while (next !== null)
  terminal.log(before === '[\n' ? '[]' : '\n]')
}
