import type { WallClock } from '@heyline/kit/wall-clock'
import type { FatalErrorKind } from '@heyline/room-protocol'
import { MicrophoneError, type MicrophoneReason } from './browser/microphone.js'
import { type ErrorDetails, errorDetails, errorText } from './error-details.js'
import type { IncomingMessage } from './server-message.js'

/** The stages of a start, in their order (spec 4). Those of a room are named after Daily in every room. */
export type StartStage =
  | 'initialization'
  | 'web-call-creation'
  | 'daily-call-object-creation'
  | 'mobile-permissions'
  | 'daily-call-join'
  | 'video-recording-setup'
  | 'audio-observer-setup'
  | 'audio-processing-setup'

/**
 * What went wrong: a part of the start, the microphone, an assistant that does not listen in time, or one of the ten
 * fatal errors of a room in a call.
 */
export type CallErrorType =
  | 'validation-error'
  | 'daily-call-object-creation-error'
  | 'daily-call-join-error'
  | 'video-recording-setup-error'
  | 'audio-observer-setup-error'
  | 'audio-processing-setup-error'
  | 'start-method-error'
  | 'microphone-error'
  | 'listening-timeout'
  | FatalErrorKind

/** What a start was asked for; of a `reconnect`, what its call is with. */
export interface StartContext {
  hasAssistant: boolean
  hasSquad: boolean
  hasWorkflow: boolean
  isMobile: boolean
}

/** Payload of `error`. One fault of a start gives two: that of its stage, then `start-method-error`. */
export interface CallErrorEvent {
  type: CallErrorType
  /** The stage that failed; `input-validation` before the first, `call` once the room is joined. */
  stage: StartStage | 'input-validation' | 'call'
  message: string
  error: ErrorDetails
  /** Of a `microphone-error`. */
  reason?: MicrophoneReason
  /** Milliseconds since the start began; of a `start-method-error`. */
  totalDuration?: number
  /** ISO 8601, as every timestamp here. */
  timestamp: string
  context?: StartContext
}

/** Payload of `call-start-progress`. */
export interface StartProgressEvent {
  stage: StartStage | 'validation' | 'video-recording-started'
  status: 'started' | 'completed' | 'failed'
  timestamp: string
  /** Milliseconds since the stage was started. */
  duration?: number
  metadata?: Record<string, string | number | boolean>
}

/** Payload of `call-start-success`: the room is joined and set up. `call-start` comes when the assistant listens. */
export interface StartSuccessEvent {
  totalDuration: number
  callId: string
  timestamp: string
}

/** Payload of `call-start-failed`. */
export interface StartFailedEvent {
  stage: StartStage
  totalDuration: number
  /** What failed, in words. */
  error: string
  errorStack: string
  timestamp: string
  context: StartContext
}

/** Payload of `transcript`: one utterance as far as it is known. It is told again, under the same `id`, as it changes. */
export interface TranscriptLine {
  /** Counts from 0 in each call, in the order in which lines begin. */
  id: number
  role: 'assistant' | 'user'
  /** All words of the line so far. */
  text: string
  /** Nothing changes any more. Every line becomes final, at the latest before `call-end`. */
  isFinal: boolean
}

/** Payload of `connection`: how the line to the room is now. Until the first, it is connected and good. */
export interface ConnectionEvent {
  /** `interrupted` while the room tries to come back; the call goes on if it can, and ends with an `error` otherwise. */
  state: 'connected' | 'interrupted'
  /** As the room measures it. A socket room does not. */
  quality: 'good' | 'low' | 'very-low'
  timestamp: string
}

/** The events of a `WebCallClient` with their arguments: plain data that `structuredClone` takes, all of it. */
export interface WebCallEvents {
  /** The assistant listens: the conversation has begun. */
  'call-start': []
  /** The call is over, whoever ended it. Comes once for each call whose room was joined. */
  'call-end': []
  /** The assistant's voice is heard. */
  'speech-start': []
  /** It has not been heard for a second, or the call ends. */
  'speech-end': []
  /** Loudness of the assistant, 0 to 1, ten times a second. */
  'volume-level': [volume: number]
  /** A message of the platform, as it came: `transcript`, `status-update`, …; unknown types too. */
  message: [message: IncomingMessage]
  /** A line of what is said began, grew or is final. Comes right after its `message`. */
  transcript: [line: TranscriptLine]
  /** The network was lost, came back, or became better or worse. */
  connection: [connection: ConnectionEvent]
  error: [error: CallErrorEvent]
  'call-start-progress': [progress: StartProgressEvent]
  'call-start-success': [success: StartSuccessEvent]
  'call-start-failed': [failure: StartFailedEvent]
  /** The microphone was lost, and the default one is in the call in its place, muted where that was. */
  'microphone-changed': [changed: { timestamp: string }]
  /** The browser refuses to play the assistant until the person does something; call `resumeAudio` in a click then. */
  'audio-blocked': [blocked: { timestamp: string }]
}

/** The payload of `error` for whatever was thrown. A microphone's fault is told as one, wherever it shows. */
export function callErrorEvent(
  type: CallErrorEvent['type'],
  stage: CallErrorEvent['stage'],
  thrown: unknown,
  clock: WallClock,
): CallErrorEvent {
  return {
    type,
    stage,
    message: errorText(thrown),
    error: errorDetails(thrown),
    ...(thrown instanceof MicrophoneError && { type: 'microphone-error', reason: thrown.reason }),
    timestamp: timestampOf(clock),
  }
}

/** The time as every event tells it: ISO 8601. */
export const timestampOf = (clock: WallClock): string => new Date(clock.now()).toISOString()
