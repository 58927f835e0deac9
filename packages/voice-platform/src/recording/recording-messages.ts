import type { RecordingSize } from './recording-files.js'
import type { RecordingFormat } from './sound-format.js'

/** What the thread of the recordings is asked for. */
export type RecordingJob =
  | { type: 'begin'; callId: string; folder: string; format: RecordingFormat }
  /** The caller's samples and the assistant's in turn. */
  | { type: 'sound'; callId: string; samples: Int16Array }
  | { type: 'end'; callId: string }

/** What it answers. Nothing follows an end. */
export type RecordingAnswer =
  | { type: 'written'; callId: string; samples: number }
  | { type: 'ended'; callId: string; size: RecordingSize | undefined; failure: string | undefined }
