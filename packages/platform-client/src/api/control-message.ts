import type { HandoffDestination } from './handoff-destination.js'
import type { ModelMessage } from './model-message.js'
import type { PhoneDestination } from './transfer-destination.js'

/** The assistant says something. */
export interface SayMessage {
  type: 'say'
  content: string
  /** The call ends after it. */
  endCallAfterSpoken?: boolean
  /** The customer may speak over it. */
  interruptionsEnabled?: boolean
  /** It cuts off what the assistant is saying now. Default false. */
  interruptAssistantEnabled?: boolean
}

/** The conversation gets a message. */
export interface AddMessage {
  type: 'add-message'
  message: ModelMessage
  /** The assistant answers it. Default true. */
  triggerResponseEnabled?: boolean
}

/** Somebody is muted, or the first message is said now. */
export interface ControlCall {
  type: 'control'
  control: 'mute-assistant' | 'unmute-assistant' | 'mute-customer' | 'unmute-customer' | 'say-first-message'
  /** With `say-first-message`: seconds between the call's start and the video recording's. */
  videoRecordingStartDelaySeconds?: number
}

/** The call ends. */
export interface EndCall {
  type: 'end-call'
}

/** The call goes to a phone. */
export interface TransferCall {
  type: 'transfer'
  destination?: PhoneDestination
  /** Said first. */
  content?: string
}

/** The call goes to another assistant. At `controlUrl` only. */
export interface HandOff {
  type: 'handoff'
  destination: HandoffDestination
  /** Said first. */
  content?: string
}

/** Something for the telephony provider, in its own form. */
export interface SendTransportMessage {
  type: 'send-transport-message'
  message: Record<string, unknown>
}

/**
 * What steers a running call: sent by the client in the room, or posted as JSON to `call.monitor.controlUrl`. In the room it has
 * at most 4096 characters as JSON.
 */
export type ControlMessage =
  | SayMessage
  | AddMessage
  | ControlCall
  | EndCall
  | TransferCall
  | HandOff
  | SendTransportMessage
