import type { CallErrorType } from './web-call-events.js'

/** A part of the set-up that a call does without, and a microphone: where that one is the end, `start-method-error` or `call-end` follows. */
const PASSING: readonly CallErrorType[] = [
  'video-recording-setup-error',
  'audio-observer-setup-error',
  'audio-processing-setup-error',
  'microphone-error',
]

/** Whether an error of the call client leads back to idle (spec 8): every one after which the client does not carry on. */
export const isEndingError = (type: CallErrorType): boolean => !PASSING.includes(type)
