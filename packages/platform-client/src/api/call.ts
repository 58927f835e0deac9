import type { Analysis, Artifact, ArtifactPlan, CallMessage } from './artifact.js'
import type { CallCost, CostBreakdown } from './call-cost.js'
import type { CallSpeaker, SchedulePlan } from './create-call.js'
import type { Customer } from './customer.js'
import type { OpenString } from './open-string.js'
import type { ImportTwilioPhoneNumber } from './phone-number.js'
import type { PhoneDestination } from './transfer-destination.js'

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
  | 'assistant-did-not-receive-customer-audio'
  | 'assistant-ended-call'
  | 'assistant-ended-call-after-message-spoken'
  | 'assistant-ended-call-with-hangup-task'
  | 'assistant-said-end-call-phrase'
  | 'assistant-forwarded-call'
  | 'assistant-request-failed'
  | 'assistant-not-valid'
  | 'assistant-not-found'
  | 'assistant-join-timed-out'
  | 'silence-timed-out'
  | 'exceeded-max-duration'
  | 'manually-canceled'
  | 'scheduled-call-deleted'
  | 'twilio-failed-to-connect-call'
  | 'twilio-reported-customer-misdialed'
  | 'vonage-failed-to-connect-call'
  | 'vonage-rejected'
  | 'voicemail'
  | 'worker-shutdown'
>

/** How a call is carried. A web call's says where its Daily room is, a socket call's (`vapi.websocket`) where its socket is. */
export interface CallTransport {
  provider?: OpenString<'daily' | 'vapi.websocket' | 'twilio' | 'vonage' | 'vapi' | 'telnyx'>
  conversationType?: OpenString<'voice'>
  callUrl?: string
  callSipUri?: string
  /** The token with which the customer joins the Daily room. */
  callToken?: string
  roomDeleteOnUserLeaveEnabled?: boolean
  /** Where the socket is (`wss://`), for PCM frames and JSON messages. Whoever has it can join. */
  websocketCallUrl?: string
  /** ISO 8601. Only of the built-in platform, for a phone call that a carrier bills: when it was answered, by whomever. */
  answeredAt?: string
  /** Only of the built-in platform, for a call to one of our numbers: whether the telephone network vouches for the caller's number. */
  callerProven?: boolean
  [setting: string]: unknown
}

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
  /** What `cost` is made of, position by position. */
  costs?: CallCost[]
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
  phoneNumber?: ImportTwilioPhoneNumber
  /** @deprecated `transport.provider` */
  phoneCallProvider?: OpenString<'twilio' | 'vonage' | 'vapi' | 'telnyx'>
  /**
   * The telephony provider's own id of the call.
   * @deprecated The platform names no successor.
   */
  phoneCallProviderId?: string
  phoneCallTransport?: 'sip' | 'pstn'
  customerId?: string
  customer?: Customer
  campaignId?: string
  /** Where the call was transferred to. */
  destination?: PhoneDestination
  /** At most 40 characters. */
  name?: string
  metadata?: Record<string, unknown>
  schedulePlan?: SchedulePlan
  transport?: CallTransport
}

/** Body of `calls.update`. */
export interface UpdateCall {
  /** At most 40 characters. */
  name?: string
}

/** What became of a batch. */
export interface CallBatch {
  results: Call[]
  /** The customers who got no call, and why. */
  errors: { customer: Customer; error: string }[]
  /** How many more calls the subscription allows at once. */
  subscriptionLimits?: {
    /** Calls of this batch wait for others to end. */
    concurrencyBlocked?: boolean
    concurrencyLimit?: number
    remainingConcurrentCalls?: number
  }
}
