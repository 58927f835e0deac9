import { csvRow } from '@heyline/back-office/csv'
import type { CallOffice, CallRecord } from '@heyline/call-desk'
import { withCalls } from '../place/calls-place.js'
import { writeBeside } from '../terminal/new-file.js'
import { printText } from '../terminal/output.js'
import { openProgress } from '../terminal/progress.js'
import type { CommandContext } from '../terminal/terminal.js'
import { counted } from './call-text.js'

const dollarsOf = (microusd: number | null) => (microusd === null ? null : (microusd / 1_000_000).toFixed(6))

/** The columns of the CSV, in this order, and what of a record stands in them. */
const COLUMNS: Readonly<Record<string, (call: CallRecord) => string | number | null>> = {
  id: ({ id }) => id,
  created_at: ({ createdAt }) => createdAt,
  kind: ({ kind }) => (kind === 'web' ? 'browser' : 'phone'),
  phone: ({ phone }) => phone,
  country: ({ country }) => country,
  slug: ({ slug }) => slug,
  state: ({ state }) => state,
  refusal: ({ refusal }) => refusal,
  outcome: ({ outcome }) => outcome,
  ended_reason: ({ endedReason }) => endedReason,
  last_error: ({ lastError }) => lastError,
  hang_up_reason: ({ hangUpReason }) => hangUpReason,
  seconds: ({ seconds }) => seconds,
  cost_usd: ({ costMicrousd }) => dollarsOf(costMicrousd),
  reserved_usd: ({ reservedMicrousd }) => dollarsOf(reservedMicrousd),
  attempts: ({ attempts }) => attempts,
  address: ({ address }) => address,
  platform_call_id: ({ platformCallId }) => platformCallId,
  dialling_at: ({ diallingAt }) => diallingAt,
  ringing_at: ({ ringingAt }) => ringingAt,
  in_progress_at: ({ inProgressAt }) => inProgressAt,
  ended_at: ({ endedAt }) => endedAt,
  refused_at: ({ refusedAt }) => refusedAt,
  failed_at: ({ failedAt }) => failedAt,
  unknown_at: ({ unknownAt }) => unknownAt,
  summary: ({ summary }) => summary,
  transcript: ({ transcript }) => transcript,
}

/** `heyline calls export [FILE]`: all calls as CSV, or with `--json` as JSON, one a line. Without a file to standard output. */
export function exportCalls(
  context: CommandContext,
  file: string | undefined,
  { json = false }: { json?: boolean },
): Promise<void> {
  return withCalls(context, async (calls) => {
    let exported = 0
    const count = (part: CallRecord[]) => {
      exported += part.length
    }
    if (file === undefined) {
      for await (const text of texts(calls, json, count)) await printText(text, context.terminal.out)
      return
    }
    await writeBeside(file, texts(calls, json, count))
    openProgress(json, context.terminal.err).say(`wrote ${counted(exported, 'call')} to ${file}`)
  })
}

async function* texts(
  calls: CallOffice,
  json: boolean,
  count: (part: CallRecord[]) => void,
): AsyncGenerator<string> {
  if (!json) yield csvRow(Object.keys(COLUMNS))
  for await (const part of calls.export()) {
    count(part)
    yield part.map(json ? (call) => `${JSON.stringify(call)}\n` : rowOf).join('')
  }
}

const rowOf = (call: CallRecord) => csvRow(Object.values(COLUMNS).map((value) => value(call)))
