import type { CallErrorEvent, ConnectionEvent, TranscriptLine } from '../web-call-events.js'

/** What a view of a call shows. All but the volume, which changes ten times a second. */
export interface CallState {
  /** `connecting` from the click until the assistant listens, `in-call` from then on, `idle` otherwise. */
  readonly state: 'idle' | 'connecting' | 'in-call'
  /** Whether the microphone is muted; false without a call. */
  readonly isMuted: boolean
  /** Whether the assistant's voice is heard. */
  readonly isSpeaking: boolean
  /** Whether the browser refuses to play the assistant: show a button that calls `resumeAudio`. */
  readonly isAudioBlocked: boolean
  /** What was said, a line for each utterance in the order in which they began. Stays after the call, until the next. */
  readonly transcript: readonly TranscriptLine[]
  /** The last thing that went wrong, of a start the first; the next start clears it. A call may well go on with one. */
  readonly error: CallErrorEvent | undefined
  /** How the line to the room is. */
  readonly connection: Pick<ConnectionEvent, 'state' | 'quality'>
}

/** Before the first call. */
export const NO_CALL: CallState = {
  state: 'idle',
  isMuted: false,
  isSpeaking: false,
  isAudioBlocked: false,
  transcript: [],
  error: undefined,
  connection: { state: 'connected', quality: 'good' },
}

/** Nothing goes on any more; what was said and what went wrong stay to be read. */
export const ended = ({ transcript, error }: CallState): CallState => ({ ...NO_CALL, transcript, error })
