import type { CallSpeaker } from './create-call.js'
import type { HandoffDestination } from './handoff-destination.js'
import type { CustomMessage } from './spoken-message.js'
import type { ToolCompleteMessage, ToolFailedMessage, ToolMessage } from './tool-settings.js'
import type { PhoneDestination, TransferDestination } from './transfer-destination.js'

/** Answer to `assistant-request`: who speaks. */
export interface AssistantAnswer extends CallSpeaker {
  /** Hands the call on at once, and nobody speaks. */
  destination?: PhoneDestination
  /** Said to the caller, and the call is refused. */
  error?: string
}

/** What a tool gave. */
export interface ToolCallResult {
  /** `id` of the tool call. */
  toolCallId: string
  /** Name of the function. */
  name: string
  /** Goes into the conversation. */
  result?: string
  /** In place of `result`: what went wrong. Goes into the conversation. */
  error?: string
  /** Said in place of the tool's own messages. */
  message?: ToolCompleteMessage | ToolFailedMessage
  /** For the client in the room. */
  metadata?: Record<string, unknown>
}

/** Answer to `tool-calls`. */
export interface ToolCallsAnswer {
  results?: ToolCallResult[]
  error?: string
}

/** Answer to `transfer-destination-request`. */
export interface TransferDestinationAnswer {
  destination?: TransferDestination
  /** Said while the call is transferred. */
  message?: ToolMessage
  /** In place of `destination`: why the call is not transferred. */
  error?: string
}

/** Answer to `handoff-destination-request`. */
export interface HandoffDestinationAnswer {
  destination?: HandoffDestination
  /** In place of `destination`: why nobody takes over. */
  error?: string
}

/** Answer to `call.endpointing.request`. */
export interface EndpointingAnswer {
  /** Seconds to wait for more words. */
  timeoutSeconds: number
}

/** Answer to `knowledge-base-request`. */
export interface KnowledgeBaseAnswer {
  /** For the model, beside the conversation. */
  documents?: { content: string; similarity: number; uuid?: string }[]
  /** Said in place of the model's answer. */
  message?: CustomMessage
}

/** What a server answers to the messages that ask for something. All others need no answer. */
export type ServerMessageAnswer =
  | AssistantAnswer
  | ToolCallsAnswer
  | TransferDestinationAnswer
  | HandoffDestinationAnswer
  | EndpointingAnswer
  | KnowledgeBaseAnswer
