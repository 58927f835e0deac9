import type { OpenString } from './open-string.js'
import type { CustomMessage } from './spoken-message.js'
import type { TransferPlan } from './transfer-plan.js'

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
