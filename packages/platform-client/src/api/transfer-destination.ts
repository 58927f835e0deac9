import type { SummaryPlan } from './analysis-plan.js'
import type { OpenString } from './open-string.js'
import type { CustomMessage } from './spoken-message.js'

/** What every destination of a transfer can say. */
interface TransferDestinationSettings {
  /** Said to the customer before the transfer. Default "Transferring the call now"; an empty text says nothing. */
  message?: string | CustomMessage
  /** By which the model decides whom to transfer to. */
  description?: string
}

/** Another assistant of the same squad. */
export interface AssistantDestination extends TransferDestinationSettings {
  type: 'assistant'
  assistantName: string
  /** What the next assistant knows of the conversation. Default `rolling-history`, all of it. */
  transferMode?: OpenString<
    | 'rolling-history'
    | 'swap-system-message-in-history'
    | 'swap-system-message-in-history-and-remove-transfer-tool-messages'
    | 'delete-history'
  >
}

/** A phone number. */
export interface NumberDestination extends TransferDestinationSettings {
  type: 'number'
  /** 3–40 characters; E.164 unless `numberE164CheckEnabled` is false. */
  number: string
  /** Default true. */
  numberE164CheckEnabled?: boolean
  /** Dialled after the answer, 1–10 characters. */
  extension?: string
  /** The number that the destination sees; at most 40 characters. Default: the number that the call comes from. */
  callerId?: string
  transferPlan?: TransferPlan
}

/** A SIP address. */
export interface SipDestination extends TransferDestinationSettings {
  type: 'sip'
  sipUri: string
  /** Headers added to the SIP REFER. */
  sipHeaders?: Record<string, string>
  transferPlan?: TransferPlan
}

/** Somebody outside the platform. */
export type PhoneDestination = NumberDestination | SipDestination

/** Where a call can be transferred to; `type` says what it is. */
export type TransferDestination = AssistantDestination | PhoneDestination

/** How a call is handed to another number, and what is said there before. */
export interface TransferPlan {
  /** Default `blind-transfer`. */
  mode: OpenString<
    | 'blind-transfer'
    | 'blind-transfer-add-summary-to-sip-header'
    | 'warm-transfer-say-message'
    | 'warm-transfer-say-summary'
    | 'warm-transfer-twiml'
    | 'warm-transfer-wait-for-operator-to-speak-first-and-then-say-message'
    | 'warm-transfer-wait-for-operator-to-speak-first-and-then-say-summary'
    | 'warm-transfer-experimental'
  >
  /** Said to the destination before the customer is connected, in the modes that say a message. */
  message?: string | CustomMessage
  /** Seconds that the modes which wait for the operator wait, 1–600. Default 60. */
  timeout?: number
  /** Default `refer`. */
  sipVerb?: 'refer' | 'bye' | 'dial'
  /** Played to the customer meanwhile; `warm-transfer-experimental` only. */
  holdAudioUrl?: string
  /** Played after the message or summary; `warm-transfer-experimental` only. */
  transferCompleteAudioUrl?: string
  /** Run on the destination's leg; `warm-transfer-twiml` only. At most 4096 characters. */
  twiml?: string
  /** How the summary is made, in the modes that say or send one. */
  summaryPlan?: SummaryPlan
  /** The destination's SIP headers go into the address of the REFER too. Default false. */
  sipHeadersInReferToEnabled?: boolean
  /** When nobody, or a machine, answers; `warm-transfer-experimental` only. */
  fallbackPlan?: TransferFallbackPlan
}

/** What happens when a transfer fails. */
export interface TransferFallbackPlan {
  /** Said to the customer. */
  message: string | CustomMessage
  /** The call ends after the message. Default true. */
  endCallEnabled?: boolean
}
