export {
  CHUNK_SAMPLES,
  FRAME_MS,
  FRAME_SAMPLES,
  MAX_AUDIO_BYTES,
  MAX_TEXT_CHARACTERS,
  SAMPLE_RATE,
} from './audio-format.js'
export { FATAL_ERRORS, type FatalErrorKind, fatalErrorOfCloseCode, isFatalErrorKind } from './fatal-error.js'
export { bytesOf, levelOf, samplesOf } from './pcm.js'
export { PHONE_PROTOCOL, type PhoneClientMessage, type PhoneServerMessage } from './phone-messages.js'
export {
  GRACE_MS,
  MAX_WORDS_CHARACTERS,
  ROOM_PROTOCOL,
  type RoomClientMessage,
  type RoomMessage,
  type RoomServerMessage,
  type WordsWish,
} from './room-message.js'
export { type AppMessage, parseClientText, parseServerText, type RoomText, roomText } from './room-text.js'
