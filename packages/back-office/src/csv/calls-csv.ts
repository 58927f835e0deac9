import type { CallRecord } from '@heyline/call-desk'
import { type CsvForm, csvRow } from '@heyline/kit/csv-row'
import { csvFile } from './csv-file.js'

const dollarsOf = (microusd: number | null) => (microusd === null ? null : (microusd / 1_000_000).toFixed(6))

/** The columns of the CSV, in this order, and what of a record stands in them. */
const COLUMNS: Readonly<Record<string, (call: CallRecord) => string | number | null>> = {
  id: ({ id }) => id,
  created_at: ({ createdAt }) => createdAt,
  kind: ({ kind }) => (kind === 'web' ? 'browser' : kind),
  direction: ({ direction }) => direction,
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

export const callsHeader = csvRow(Object.keys(COLUMNS))

export const callRow = (call: CallRecord, form?: CsvForm): string =>
  csvRow(
    Object.values(COLUMNS).map((value) => value(call)),
    form,
  )

/** Calls as a file of CSV, as they come. */
export const callsCsv = (parts: AsyncIterable<CallRecord[]>, form: CsvForm): ReadableStream<Uint8Array> =>
  csvFile(callsHeader, parts, (call) => callRow(call, form))
