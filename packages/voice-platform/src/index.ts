export { type Clock, systemClock } from '@heyline/kit/clock'
export type { Prices } from './calls/call-costs.js'
export type { DrainPlan } from './calls/call-drain.js'
export type { CallKeeping } from './calls/call-retention.js'
export type { HouseFigures } from './calls/house.js'
export type { AdmitIncoming, IncomingAdmission } from './calls/incoming-calls.js'
export type { MessageServer } from './calls/message-server.js'
export {
  CALL_TEXTS,
  CHAT_TEXTS,
  eraseFromPlatform,
  isRunningOnPlatform,
  oldestOpenCall,
  type PersonCallRows,
  type PersonCalls,
  platformRowsOf,
  RESOURCE_TEXTS,
} from './calls/person-calls.js'
export type { PlatformMeasures } from './calls/platform-measures.js'
export type {
  PublicCallAdmission,
  PublicCallRefusal,
  PublicCalls,
  PublicChats,
} from './calls/public-calls.js'
export type { TransferGate } from './calls/transfers.js'
export type { FindCampaignDesk } from './campaigns/campaign-desk.js'
export {
  type Carrier,
  type CarrierEvents,
  CarrierRefusal,
  type CarrierRooms,
  type DialRequest,
  type Leg,
  type LegEnd,
  type TextMessage,
  type TransferRequest,
} from './carriers/carrier.js'
export {
  type InboundRoute,
  type NumberAccount,
  NumberAccountError,
  type NumberRight,
} from './carriers/number-account.js'
export {
  createSimulatedCarrier,
  type SimulatedCarrier,
  type SimulatedCarrierOptions,
} from './carriers/simulated/simulated-carrier.js'
export { askSipServer } from './carriers/sip/ask-sip-server.js'
export { probeOwnAddress } from './carriers/sip/probe-own-address.js'
export { createSipCarrier, type SipCarrier, type SipCarrierOptions } from './carriers/sip/sip-carrier.js'
export type { UpgradeRequest } from './carriers/twilio/stream-invitations.js'
export { TwilioAccount, type TwilioAccountOptions } from './carriers/twilio/twilio-account.js'
export { inboundUrl } from './carriers/twilio/twilio-callback.js'
export {
  createTwilioCarrier,
  type TwilioCarrier,
  type TwilioCarrierOptions,
} from './carriers/twilio/twilio-carrier.js'
export { twilioSignature } from './carriers/twilio/twilio-signature.js'
export { type DefaultResources, FICTIONAL_NUMBER } from './default-resources.js'
export { createDeepgramTranscriber } from './engines/deepgram/deepgram-transcriber.js'
export { createDeepgramVoice } from './engines/deepgram/deepgram-voice.js'
export { createElevenLabsTranscriber } from './engines/elevenlabs/elevenlabs-transcriber.js'
export { createElevenLabsVoice } from './engines/elevenlabs/elevenlabs-voice.js'
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
  type TranscriptionEvents,
  type TranscriptionStream,
  type Voice,
  type VoiceOptions,
  type WaitingTranscription,
} from './engines/engine.js'
export {
  modelWithFallback,
  transcriberWithFallback,
  voiceWithFallback,
} from './engines/fallback/fallback-engines.js'
export type { FallbackOptions } from './engines/fallback/takeover.js'
export {
  createOfflineEngines,
  type OfflineEngines,
  type OfflineEnginesOptions,
} from './engines/offline/offline-engines.js'
export { EngineRefusal, type OpenAiOptions } from './engines/openai/exchange.js'
export { createOpenAiModel } from './engines/openai/openai-model.js'
export { createOpenAiTranscriber } from './engines/openai/openai-transcriber.js'
export { createOpenAiVoice, type OpenAiVoiceOptions } from './engines/openai/openai-voice.js'
export { createOpenAiRealtimeTranscriber } from './engines/openai-realtime/openai-realtime-transcriber.js'
export { createWyomingTranscriber } from './engines/wyoming/wyoming-transcriber.js'
export { createWyomingVoice } from './engines/wyoming/wyoming-voice.js'
export { FileRefused, MOST_FILE_BYTES, type SentFile } from './knowledge/file-intake.js'
export type { FileRow } from './knowledge/file-row.js'
export type { FileOwner } from './knowledge/file-store.js'
export {
  Knowledge,
  type KnowledgeOptions,
  MOST_BYTES as MOST_KNOWLEDGE_BYTES,
} from './knowledge/knowledge.js'
export { FILE_ENDINGS } from './knowledge/parsing/file-kind.js'
export { type FoundPassage, PassageSearch, type SearchedFiles } from './knowledge/passage-search.js'
export { eraseVisitorFiles, visitorFileRows } from './knowledge/visitor-files.js'
export type { CallerWords } from './link/caller-words.js'
export type { Link, LinkHandlers, MarkOutcome } from './link/link.js'
export { openPhoneNumbers, type StoredNumbers } from './numbers/open-phone-numbers.js'
export { PhoneNumberStore } from './numbers/phone-number-store.js'
export type { AddedNumber, PhoneNumbers } from './numbers/phone-numbers.js'
export { openAssistants } from './open-assistants.js'
export {
  ORG_ROLES,
  type OrgActor,
  type OrgMember,
  type OrgNeed,
  type OrgPeople,
  type OrgRole,
} from './orgs/org-people.js'
export type { OutgoingText, VoicePlatform, VoicePlatformOptions } from './platform-port.js'
export { RECORDINGS_PATH } from './recording/recording-url.js'
export type { RecordingSettings } from './recording/recordings.js'
export { Relay, type RelayOptions } from './relay/relay.js'
export { type ClientUpgrade, type PassOn, placeOfRelayed } from './relay/room-relay.js'
export { ApiError } from './resources/api-error.js'
export type { PlatformKeys } from './rest/access.js'
export { API_PATH } from './rest/api-path.js'
export { roomSign } from './rooms/room-sign.js'
export { startSession } from './session/running-session.js'
export type {
  MeasuredTurn,
  Session,
  SessionAssistant,
  SessionMessage,
  SessionOptions,
  SessionRecord,
  StartSession,
  TurnPart,
} from './session/session.js'
export * from './settings.js'
export type { Ticket, TicketLine } from './tickets/ticket.js'
export { TICKETS_CHANNEL, type TicketPage, Tickets } from './tickets/tickets.js'
export type { OwnVoice } from './voice-library/voice-library.js'
export { createVoicePlatform } from './voice-platform.js'
