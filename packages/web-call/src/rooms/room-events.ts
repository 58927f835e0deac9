import type { FatalErrorKind } from '@heyline/room-protocol'
import type { RoomPermissions } from './room-permissions.js'

export interface RoomParticipant {
  session_id: string
  user_name: string
  local: boolean
  permissions?: RoomPermissions
}

/** A fatal error of a room: the room is over. `msg` is the room's own text. */
export interface FatalRoomError {
  type: FatalErrorKind
  msg: string
}

/**
 * The events of a call room, with the fields that the helper reads.
 * Names and shapes are those of Daily's call object (0.80.0), so that one is a `CallRoom` as it stands.
 */
export interface RoomEvents {
  'joined-meeting': { action: string; participants: Record<string, RoomParticipant> }
  /** The local participant is out, whoever ended it. `endedReason` is the platform's, where the room knows it. */
  'left-meeting': { action: string; endedReason?: string }
  error: { action: string; errorMsg: string; error?: FatalRoomError }
  /** Something failed and the call goes on; `type` is `audio-processor-error` among others. */
  'nonfatal-error': { action: string; type: string; errorMsg: string }
  /**
   * Microphone or camera cannot be had; `error.type` says why (`permissions`, `not-found`, `mic-in-use`, …). Which of the
   * two it is, is in the list that goes with the type, and in `audioOk`, where the room knows.
   */
  'camera-error': {
    action: string
    errorMsg?: { audioOk?: boolean }
    error: {
      type: string
      msg: string
      blockedMedia?: ('video' | 'audio')[]
      missingMedia?: ('video' | 'audio')[]
      failedMedia?: ('video' | 'audio')[]
    }
  }
  /** `data` is the literal `listening` or the JSON text of a message of the platform. */
  'app-message': { action: string; data: unknown; fromId: string }
  'participant-joined': { action: string; participant: RoomParticipant }
  'participant-updated': { action: string; participant: RoomParticipant }
  'participant-left': { action: string; participant: RoomParticipant }
  /** `participant` is null when it has left meanwhile. */
  'track-started': {
    action: string
    participant: RoomParticipant | null
    track: MediaStreamTrack
    type: string
  }
  'network-quality-change': { action: string; threshold: 'good' | 'low' | 'very-low' }
  /** The connection is `interrupted`, or `connected` again; `type` says which one of the room's. */
  'network-connection': { action: string; type: string; event: string }
  /** Loudness of each remote participant by id, 0 to 1. */
  'remote-participants-audio-level': {
    action: string
    participantsAudioLevel: Record<string, number>
  }
  'recording-started': { action: string }
  /** The microphone was lost, and the default one was opened in its place. Not an event of Daily's. */
  'microphone-changed': { action: string }
  /** The microphone was lost, and there is no other (a `MicrophoneError`): nobody is heard any more. Not an event of Daily's. */
  'microphone-lost': { action: string; error: Error }
  /** The room plays the audio itself, and the browser does not let it; `resumeAudio` in a click does. Not an event of Daily's. */
  'audio-blocked': { action: string }
}

export type RoomEventName = keyof RoomEvents

/** The same for an emitter: each event with its arguments. */
export type RoomEventArguments = { [Name in RoomEventName]: [event: RoomEvents[Name]] }

export type RoomListener<Name extends RoomEventName> = (event: RoomEvents[Name]) => void

type Subscription<Name extends RoomEventName> = Name extends RoomEventName
  ? (event: Name, listener: RoomListener<Name>) => unknown
  : never

type Every<Union> = (Union extends unknown ? (member: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/**
 * `on` and `off`, one overload an event, so that a room with events of its own fits too. Events that Daily does not know
 * are left out: `listenToRoom` puts listeners for them on any room, and only those that have them tell them.
 */
export type RoomSubscription = Every<Subscription<Exclude<RoomEventName, OwnEvent>>>

type OwnEvent = 'audio-blocked' | 'microphone-changed' | 'microphone-lost'
