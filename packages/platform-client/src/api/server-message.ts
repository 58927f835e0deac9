import type { Analysis, Artifact, CallMessage } from './artifact.js'
import type { EndedReason } from './call.js'
import type { CallCost } from './call-cost.js'
import type { LiveMessage } from './live-message.js'
import type { MessageContext } from './message-context.js'
import type { ModelMessage } from './model-message.js'
import type { RecordMessage } from './record-message.js'
import type { PhoneDestination } from './transfer-destination.js'

/** The call is over; sent once, after its analysis. */
export interface EndOfCallReport extends MessageContext {
  type: 'end-of-call-report'
  endedReason: EndedReason
  /** US dollars. */
  cost?: number
  costs?: CallCost[]
  /** ISO 8601. */
  startedAt?: string
  /** ISO 8601. */
  endedAt?: string
  /** Seconds. */
  durationSeconds?: number
  artifact: Artifact
  analysis: Analysis
}

/** Asks who takes a call that comes in. Answered with `AssistantAnswer`. */
export interface AssistantRequest extends MessageContext {
  type: 'assistant-request'
}

/** Asks where the call shall go, since the model's tool names no destination. Answered with `TransferDestinationAnswer`. */
export interface TransferDestinationRequest extends MessageContext {
  type: 'transfer-destination-request'
}

/** Asks which assistant takes over, since the model's tool leaves it open. Answered with `HandoffDestinationAnswer`. */
export interface HandoffDestinationRequest extends MessageContext {
  type: 'handoff-destination-request'
  /** What the model gave its tool. */
  parameters: Record<string, unknown>
}

/** Asks an endpointing server of the developer's own how long to wait for more words. Answered with `EndpointingAnswer`. */
export interface EndpointingRequest extends MessageContext {
  type: 'call.endpointing.request'
  messages?: CallMessage[]
  messagesOpenAIFormatted: ModelMessage[]
}

/** Asks for documents before the model answers. Answered with `KnowledgeBaseAnswer`. */
export interface KnowledgeBaseRequest extends MessageContext {
  type: 'knowledge-base-request'
  /** What was said, as a call's record has it or as models read it. */
  messages?: (CallMessage | ModelMessage)[]
  /** What the model is about to get. */
  messagesOpenAIFormatted: ModelMessage[]
}

/** Asks the server itself to hang up or to forward. An assistant that names this message leaves both to its server. */
export interface PhoneCallControl extends MessageContext {
  type: 'phone-call-control'
  request: 'forward' | 'hang-up'
  /** With `forward`. */
  destination?: PhoneDestination
}

/** Asks a voice of the developer's own for sound: answered with raw 16-bit PCM, mono, and not with JSON. */
export interface VoiceRequest extends MessageContext {
  type: 'voice-request'
  text: string
  /** Hertz. */
  sampleRate: number
}

/** What the platform posts to the assistant's server, as the `message` of the body. It adds types: leave one that you do not know alone. */
export type ServerMessage =
  | LiveMessage
  | RecordMessage
  | EndOfCallReport
  | AssistantRequest
  | TransferDestinationRequest
  | HandoffDestinationRequest
  | KnowledgeBaseRequest
  | EndpointingRequest
  | PhoneCallControl
  | VoiceRequest

/** Body of a server message's request. */
export interface ServerMessageRequest {
  message: ServerMessage
}
