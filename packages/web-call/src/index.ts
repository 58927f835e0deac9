export type { ClientMessage, SayMessage, SayOptions } from './client-message.js'
export { type Clock, systemClock } from './clock.js'
export type { ErrorDetails } from './error-details.js'
export type {
  CallRoom,
  CreateRoom,
  InputSettings,
  JoinOptions,
  RecordingOptions,
  RoomOptions,
  RoomParticipant,
  RoomState,
  TrackSubscription,
} from './rooms/call-room.js'
export { createDailyRoom } from './rooms/daily/daily-room.js'
export { RoomError } from './rooms/room-error.js'
export type { FatalRoomError, RoomEventName, RoomEvents, RoomListener } from './rooms/room-events.js'
export { listenToRoom, type RoomListeners } from './rooms/room-listeners.js'
export { type RoomKind, roomKindOf } from './rooms/room-opening.js'
export type {
  AccessLevel,
  AccessState,
  AdminPower,
  RoomPermissions,
  SendableMedia,
} from './rooms/room-permissions.js'
export { MicrophoneError, type MicrophoneReason } from './rooms/socket/microphone.js'
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
