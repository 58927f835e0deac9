import { expect, it } from 'vitest'
import { isEndingError } from './ending-error.js'
import type { CallErrorType } from './web-call-events.js'

/** Whether each is the end of its call, or of the start. */
const ENDS: Record<CallErrorType, boolean> = {
  'validation-error': true,
  'daily-call-object-creation-error': true,
  'daily-call-join-error': true,
  'video-recording-setup-error': false,
  'audio-observer-setup-error': false,
  'audio-processing-setup-error': false,
  'start-method-error': true,
  'microphone-error': false,
  'listening-timeout': true,
  'connection-error': true,
  ejected: true,
  'end-of-life': true,
  'exp-room': true,
  'exp-token': true,
  'nbf-room': true,
  'nbf-token': true,
  'meeting-full': true,
  'not-allowed': true,
  'no-room': true,
}

it.each(Object.entries(ENDS) as [CallErrorType, boolean][])('%s: the end is %s', (type, isEnd) => {
  expect(isEndingError(type)).toBe(isEnd)
})
