import type { RecordingFormat } from './sound-format.js'

/** The two files of a recording: the caller left and the assistant right, and both mixed into one channel. */
export const CHANNELS = { stereo: 2, mono: 1 } as const
export type RecordingKind = keyof typeof CHANNELS
export const KINDS: readonly RecordingKind[] = ['stereo', 'mono']

/** The name of a file below the folder of recordings. `callId` is a UUID. */
export const fileName = (callId: string, kind: RecordingKind, format: RecordingFormat): string =>
  `${callId}.${kind}.${format}`

/** What a finished recording is like. */
export interface RecordingSize {
  seconds: number
  stereoBytes: number
  monoBytes: number
}
