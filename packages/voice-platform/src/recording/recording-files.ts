import { isCallId } from '../resources/call-id.js'
import type { RecordingFormat } from './sound-format.js'

/** The two files of a recording: the caller left and the assistant right, and both mixed into one channel. */
export const CHANNELS = { stereo: 2, mono: 1 } as const
export type RecordingKind = keyof typeof CHANNELS
export const KINDS: readonly RecordingKind[] = ['stereo', 'mono']

/** The name of a file below the folder of recordings. `callId` is a UUID. */
export const fileName = (callId: string, kind: RecordingKind, format: RecordingFormat): string =>
  `${callId}.${kind}.${format}`

const NAME = /^([0-9a-f-]{36})\.(stereo|mono)\.(ogg|wav)$/

/** What a file's name says. */
export interface NamedRecording {
  callId: string
  kind: RecordingKind
  format: RecordingFormat
}

/** Undefined for a name that no recording has. */
export function readFileName(name: string): NamedRecording | undefined {
  const [, callId, kindName, formatName] = NAME.exec(name) ?? []
  const kind = KINDS.find((known) => known === kindName)
  const format = (['ogg', 'wav'] as const).find((known) => known === formatName)
  return callId && isCallId(callId) && kind && format ? { callId, kind, format } : undefined
}

/** What a finished recording is like. */
export interface RecordingSize {
  seconds: number
  stereoBytes: number
  monoBytes: number
}
