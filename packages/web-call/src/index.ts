export { type WallClock as Clock, wallClock as systemClock } from '@heyline/kit/wall-clock'
export { MicrophoneError, type MicrophoneReason } from './browser/microphone.js'
export type { ClientMessage, SayMessage, SayOptions } from './client-message.js'
export { isEndingError } from './ending-error.js'
export type { ErrorDetails } from './error-details.js'
export { resumeAudio } from './resumed-audio.js'
export { type RoomKind, roomKindOf } from './room-opening.js'
export {
  type CallRoom,
  type CreateRoom,
  type InputSettings,
  type JoinOptions,
  listenToRoom,
  type RecordingOptions,
  type RoomListeners,
  type RoomOptions,
  type RoomState,
  type TrackSubscription,
} from './rooms/call-room.js'
export { createDailyRoom } from './rooms/daily/daily-room.js'
export { RoomError } from './rooms/room-error.js'
export type {
  FatalRoomError,
  RoomEventName,
  RoomEvents,
  RoomListener,
  RoomParticipant,
} from './rooms/room-events.js'
export type {
  AccessLevel,
  AccessState,
  AdminPower,
  RoomPermissions,
  SendableMedia,
} from './rooms/room-permissions.js'
export type { IncomingMessage } from './server-message.js'
export type { RejoinableCall, StartInput } from './start-input.js'
export { WebCallClient, type WebCallClientOptions } from './web-call-client.js'
export { WebCallError, type WebCallErrorCode } from './web-call-error.js'
export type {
  CallErrorEvent,
  CallErrorType,
  ConnectionEvent,
  StartContext,
  StartFailedEvent,
  StartProgressEvent,
  StartStage,
  StartSuccessEvent,
  TranscriptLine,
  WebCallEvents,
} from './web-call-events.js'
