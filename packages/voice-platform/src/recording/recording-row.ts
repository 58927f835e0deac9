import type { RecordingFormat } from './sound-format.js'

/** What of a recording a call's row has, as JSON. Null where nothing of the call is recorded. */
export interface RecordingRow {
  format: RecordingFormat
  state: RecordingState
  seconds: number | null
}

/** `cut` ended before its call; `dropped` holds nothing, because the caller did not hear that it is recorded. */
export type RecordingState = 'running' | 'whole' | 'cut' | 'dropped'

/** The column of a call's recording, in a statement on `voice_platform.calls`. */
export const RECORDING_COLUMN = `(select jsonb_build_object('format', r.format, 'state', r.state, 'seconds', r.seconds)
  from voice_platform.recordings r where r.call_id = calls.id and r.removed_at is null) as recording`

/** Whether there is something to be heard. */
export const isHearable = (row: RecordingRow | null | undefined): row is RecordingRow =>
  row?.state === 'whole' || row?.state === 'cut'
