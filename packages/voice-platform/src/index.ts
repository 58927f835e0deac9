export { type Clock, systemClock } from '@heyline/kit/clock'
export type { CallKeeping } from './calls/call-retention.js'
export type { AdmitIncoming, IncomingAdmission } from './calls/incoming-calls.js'
export type { MessageServer } from './calls/message-server.js'
export {
  eraseFromPlatform,
  isRunningOnPlatform,
  type PersonCallRows,
  type PersonCalls,
  platformRowsOf,
} from './calls/person-calls.js'
export { MOST_PUBLIC_PROMPT } from './calls/public-call-request.js'
export type { PublicCallAdmission, PublicCallRefusal, PublicCalls } from './calls/public-calls.js'
export {
  type Carrier,
  type CarrierEvents,
  CarrierRefusal,
  type CarrierRooms,
  type DialRequest,
  type Leg,
  type LegEnd,
  type TextMessage,
} from './carriers/carrier.js'
export {
  createSimulatedCarrier,
  type SimulatedCarrier,
  type SimulatedCarrierOptions,
} from './carriers/simulated/simulated-carrier.js'
export {
  createTwilioCarrier,
  type TwilioCarrier,
  type TwilioCarrierOptions,
  type UpgradeRequest,
} from './carriers/twilio/twilio-carrier.js'
export type { DefaultResources } from './default-resources.js'
export {
  EngineError,
  type EngineOptions,
  type Engines,
  type Heard,
  type Model,
  type ModelMessage,
  type ModelOptions,
  type Transcriber,
  type TranscriberOptions,
  type Voice,
  type VoiceOptions,
} from './engines/engine.js'
export {
  createOfflineEngines,
  type OfflineEngines,
  type OfflineEnginesOptions,
} from './engines/offline/offline-engines.js'
export type { OpenAiOptions } from './engines/openai/exchange.js'
export { createOpenAiModel } from './engines/openai/openai-model.js'
export { createOpenAiTranscriber } from './engines/openai/openai-transcriber.js'
export { createOpenAiVoice, type OpenAiVoiceOptions } from './engines/openai/openai-voice.js'
export type { CallerWords } from './link/caller-words.js'
export type { Link, LinkHandlers, MarkOutcome } from './link/link.js'
export type { PlatformKeys } from './rest/access.js'
export { roomSign } from './rooms/room-sign.js'
export { startSession } from './session/running-session.js'
export type {
  Session,
  SessionAssistant,
  SessionMessage,
  SessionOptions,
  SessionRecord,
  StartSession,
} from './session/session.js'
export {
  createVoicePlatform,
  type OutgoingText,
  type VoicePlatform,
  type VoicePlatformOptions,
} from './voice-platform.js'
