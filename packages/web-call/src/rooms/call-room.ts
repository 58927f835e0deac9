import type { DailyFactoryOptions } from '@daily-co/daily-js'
import type { RoomEventName, RoomListener, RoomParticipant, RoomSubscription } from './room-events.js'
import type { AccessState } from './room-permissions.js'

/**
 * The states of a room (spec 4: new, joining, joined, left, error), under Daily's names.
 * A room that has code to load is `loading` and `loaded` before it joins.
 */
export type RoomState =
  | 'new'
  | 'loading'
  | 'loaded'
  | 'joining-meeting'
  | 'joined-meeting'
  | 'left-meeting'
  | 'error'

export interface JoinOptions {
  url: string
  subscribeToTracksAutomatically: boolean
}

export interface TrackSubscription {
  setSubscribedTracks: { audio: boolean; video: boolean }
}

export interface RecordingOptions {
  width: number
  height: number
  backgroundColor: string
  layout: { preset: 'default' }
}

export interface InputSettings {
  audio: { processor: { type: 'noise-cancellation' | 'none' } }
}

/**
 * A call room: the part of Daily's call object that the helper uses. A `DailyCall` is one as it stands;
 * the socket room and the scripted room of the tests are the others.
 */
export interface CallRoom {
  /** Rejects when the room cannot be entered; a room's fatal error is then the cause. */
  join(options: JoinOptions): Promise<unknown>
  /** Leaves; `left-meeting` follows if the room had been joined. */
  leave(): Promise<void>
  /** Leaves and releases everything. The object is of no use afterwards. */
  destroy(): Promise<void>
  meetingState(): RoomState
  accessState(): AccessState
  /** By id; the local participant is under `local`. */
  participants(): Record<string, RoomParticipant>
  /** Chooses which tracks of a participant are received. */
  updateParticipant(id: string, update: TrackSubscription): unknown
  /** Whether the microphone is open. */
  localAudio(): boolean
  setLocalAudio(enabled: boolean): unknown
  /** Sends text to everybody in the room: JSON, or the literal `playable`. Throws before join and when it is too long. */
  sendAppMessage(data: string): unknown
  updateInputSettings(settings: InputSettings): Promise<unknown>
  /** From then on `remote-participants-audio-level` comes every `interval` milliseconds. */
  startRemoteParticipantsAudioLevelObserver(interval?: number): Promise<void>
  startRecording(options: RecordingOptions): void
  stopRecording(): void
  /** Plays through this loudspeaker from now on; '' is the default one. Left out where the helper plays the tracks itself. */
  setOutputDevice?(deviceId: string): Promise<unknown>
  /** Plays what the browser refused to play (`audio-blocked`). To be called in a click. */
  resumeAudio?(): Promise<void>
  /**
   * Where this call can be joined again, from another page too: good once, while the call lives and the room lets
   * come back. It changes whenever the room has joined or come back. Undefined before and after the call.
   */
  meetingAddress?(): string | undefined
  on: RoomSubscription
  off: RoomSubscription
}

/** The options of a room: Daily's factory options. A room without a use for one of them leaves it aside. */
export type RoomOptions = DailyFactoryOptions

/** Makes the room at an address; called once a call, before `join`. */
export type CreateRoom = (url: string, options: RoomOptions) => CallRoom | Promise<CallRoom>

export type RoomListeners = { [Name in RoomEventName]?: RoomListener<Name> }

/** Every listener takes this: TypeScript cannot follow that each name goes with its own listener through a loop. */
type Subscribe = (name: RoomEventName, listener: (event: never) => void) => unknown

/** Puts listeners on a room. The answer takes them all off. */
export function listenToRoom(room: CallRoom, listeners: RoomListeners): () => void {
  const entries = Object.entries(listeners) as [RoomEventName, (event: never) => void][]
  const on = room.on as Subscribe
  const off = room.off as Subscribe
  for (const [name, listener] of entries) on.call(room, name, listener)
  return () => {
    for (const [name, listener] of entries) off.call(room, name, listener)
  }
}

/**
 * Name of the assistant's participant. Daily rooms of the platform use it, so the socket room does too; the helper answers
 * `playable` to the participant of this name only.
 */
export const ASSISTANT_NAME = 'Vapi Speaker'
