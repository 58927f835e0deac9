import { RECORDING_COLUMN } from '../recording/recording-row.js'
import { TRANSCRIPT_COLUMN } from './call-lines.js'
import { SOCKET_TRANSPORT } from './socket-call-request.js'

/** The columns of an export, and the SQL of each on `voice_platform.calls`. */
export const EXPORT_COLUMNS = {
  id: 'id',
  assistantId: 'assistant_id',
  squadId: 'squad_id',
  // No customers are stored here.
  customerId: 'null',
  customerName: "customer ->> 'name'",
  customerNumber: "customer ->> 'number'",
  customerSipUri: "customer ->> 'sipUri'",
  customerExtension: "customer ->> 'extension'",
  phoneNumberId: 'phone_number_id',
  endedReason: 'ended_reason',
  type: `case when carrier = '${SOCKET_TRANSPORT}' then 'vapi.websocketCall' else type end`,
  /** Seconds. */
  duration: 'extract(epoch from ended_at - started_at)::float8',
  startedAt: 'started_at',
  endedAt: 'ended_at',
  transcript: TRANSCRIPT_COLUMN,
  summary: "analysis ->> 'summary'",
  successEvaluation: "analysis ->> 'successEvaluation'",
  /** Signed, from the recording's row. */
  recordingUrl: 'null',
  cost: '(select f.cost from voice_platform.call_figures f where f.call_id = calls.id)',
  phoneCallProvider: `case when type <> 'webCall' then carrier end`,
  phoneCallProviderId: 'carrier_call_id',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
} as const

export type ExportColumn = keyof typeof EXPORT_COLUMNS

export const isExportColumn = (name: string): name is ExportColumn => Object.hasOwn(EXPORT_COLUMNS, name)
export const EXPORT_COLUMN_NAMES = Object.keys(EXPORT_COLUMNS).filter(isExportColumn)

/** The `select` list of these columns, and of where a row stands. */
export const selectOf = (columns: readonly ExportColumn[]): string =>
  [
    'id as key_id',
    'created_at as key_at',
    ...columns.map((name) =>
      name === 'recordingUrl' ? RECORDING_COLUMN : `${EXPORT_COLUMNS[name]} as "${name}"`,
    ),
  ].join(', ')
