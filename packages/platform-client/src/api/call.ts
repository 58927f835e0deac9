import type { Analysis, Artifact, ArtifactPlan, CallMessage } from './artifact.js'
import type { AssistantOverrides, CreateAssistant } from './assistant.js'
import type { Customer } from './customer.js'
import type { ListQuery } from './list-query.js'
import type { OpenString } from './open-string.js'

/** Who speaks in a call: one of an assistant, a squad or a workflow, stored (by id) or inline. The platform refuses a call with none. */
export interface CallSpeaker {
  assistantId?: string
  assistant?: CreateAssistant
  assistantOverrides?: AssistantOverrides
  squadId?: string
  squad?: Record<string, unknown>
  workflowId?: string
  workflow?: Record<string, unknown>
  workflowOverrides?: { variableValues?: Record<string, unknown> }
}

/** Body of `calls.createWeb`. */
export interface CreateWebCall extends CallSpeaker {
  /** The room goes when the user leaves it. Default true. */
  roomDeleteOnUserLeaveEnabled?: boolean
}

/** What every phone call, single or batch, can say. */
interface CreatePhoneCall extends CallSpeaker {
  /** The stored number that is the caller id. */
  phoneNumberId?: string
  /** A number given inline, of a telephony provider's account. */
  phoneNumber?: Record<string, unknown>
  /** At most 40 characters. */
  name?: string
  /** When to dial. Not set: at once. Times are ISO 8601. */
  schedulePlan?: { earliestAt: string; latestAt?: string }
  transport?: Record<string, unknown>
}

/** Body of `calls.create` for one phone call. Without `schedulePlan` the platform dials at once. */
export interface CreateCall extends CreatePhoneCall {
  customer?: Customer
  customerId?: string
}

/** Body of `calls.create` for one phone call to each of several customers. */
export interface CreateCallBatch extends CreatePhoneCall {
  customers: Customer[]
}

/** What became of a batch. */
export interface CallBatch {
  results: Call[]
  errors: { customer: Customer; error: string }[]
}

export type CallType = OpenString<'inboundPhoneCall' | 'outboundPhoneCall' | 'webCall' | 'vapi.websocketCall'>

/** `not-found` and `deletion-failed` appear only after a deletion. */
export type CallStatus = OpenString<
  | 'scheduled'
  | 'queued'
  | 'ringing'
  | 'in-progress'
  | 'forwarding'
  | 'ended'
  | 'not-found'
  | 'deletion-failed'
>

/** Why a call ended. The platform knows several hundred reasons and adds to them. */
export type EndedReason = OpenString<
  | 'customer-ended-call'
  | 'customer-did-not-answer'
  | 'customer-busy'
  | 'customer-did-not-give-microphone-permission'
  | 'assistant-ended-call'
  | 'assistant-said-end-call-phrase'
  | 'assistant-not-found'
  | 'assistant-join-timed-out'
  | 'silence-timed-out'
  | 'exceeded-max-duration'
  | 'manually-canceled'
  | 'voicemail'
  | 'worker-shutdown'
>

/** A call of any kind, as far as it has come. */
export interface Call extends CallSpeaker {
  id: string
  orgId: string
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
  type?: CallType
  status?: CallStatus
  endedReason?: EndedReason
  /** ISO 8601. */
  startedAt?: string
  /** ISO 8601. */
  endedAt?: string
  /** Web calls: where to join, as `ws(s)://` for a socket room and `https://` for a Daily room. In no published schema. */
  webCallUrl?: string
  /** US dollars. */
  cost?: number
  costBreakdown?: CostBreakdown
  costs?: Record<string, unknown>[]
  messages?: CallMessage[]
  /** @deprecated `artifact.transcript` */
  transcript?: string
  /** @deprecated `analysis.summary` */
  summary?: string
  artifact?: Artifact
  artifactPlan?: ArtifactPlan
  analysis?: Analysis
  /** Addresses to listen to a running call and to steer it. */
  monitor?: { listenUrl?: string; controlUrl?: string }
  phoneNumberId?: string
  phoneNumber?: Record<string, unknown>
  phoneCallProvider?: OpenString<'twilio' | 'vonage' | 'vapi' | 'telnyx'>
  phoneCallProviderId?: string
  phoneCallTransport?: 'sip' | 'pstn'
  customerId?: string
  customer?: Customer
  campaignId?: string
  destination?: Record<string, unknown>
  name?: string
  metadata?: Record<string, unknown>
  schedulePlan?: { earliestAt: string; latestAt?: string }
  transport?: Record<string, unknown>
}

/** What a call cost, in US dollars, and the amounts that it comes from. */
export interface CostBreakdown {
  transport?: number
  stt?: number
  llm?: number
  tts?: number
  /** The platform's own fee. */
  vapi?: number
  chat?: number
  total?: number
  llmPromptTokens?: number
  llmCompletionTokens?: number
  ttsCharacters?: number
  analysisCostBreakdown?: Record<string, number>
}

/** Query of `calls.list`. */
export interface ListCalls extends ListQuery {
  id?: string
  assistantId?: string
  phoneNumberId?: string
}
