import type { RecordingSettings } from '@heyline/voice-platform'
import type { Environment } from './environment.js'

/** What people have set about recordings. Where the files are and what signs their addresses follows from other settings. */
export type RecordingChoice = Pick<RecordingSettings, 'everyCall' | 'announcement' | 'format' | 'days'>

/** Said with `RECORDING=on` where nobody has set a text. */
const ANNOUNCEMENT = 'This call is recorded.'

export function recordingChoice({
  RECORDING,
  RECORDING_ANNOUNCEMENT,
  RECORDING_FORMAT,
  CALL_RECORDING_DAYS,
}: Environment): RecordingChoice {
  return {
    everyCall: RECORDING,
    announcement: RECORDING_ANNOUNCEMENT ?? (RECORDING ? ANNOUNCEMENT : undefined),
    format: RECORDING_FORMAT,
    days: CALL_RECORDING_DAYS,
  }
}
