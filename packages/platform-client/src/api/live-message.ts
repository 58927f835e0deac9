import type { CallMessage, ToolCall } from './artifact.js'
import type { CreateAssistant } from './assistant.js'
import type { AssistantSpeechStarted, AssistantStarted } from './assistant-message.js'
import type { CallStatus, EndedReason } from './call.js'
import type { MessageContext } from './message-context.js'
import type { ModelMessage } from './model-message.js'
import type { CreateTool } from './tool.js'
import type { PhoneDestination, TransferDestination } from './transfer-destination.js'

/** The call's status changed. `endedReason` comes with `ended`. */
export interface StatusUpdate extends MessageContext {
  type: 'status-update'
  status: CallStatus
  endedReason?: EndedReason
  /** With `forwarding`, as the four that follow: where the call goes. */
  destination?: PhoneDestination
  messages?: CallMessage[]
  messagesOpenAIFormatted?: ModelMessage[]
  transcript?: string
  summary?: string
  /** With `ended`, where an inbound call could not be taken. */
  inboundPhoneCallDebuggingArtifacts?: Record<string, unknown>
}

/** Somebody's words. A partial transcript is replaced by the next one of the same role. */
export interface Transcript extends MessageContext {
  type: 'transcript' | 'transcript[transcriptType="final"]' | "transcript[transcriptType='final']"
  role: 'assistant' | 'user'
  transcriptType: 'partial' | 'final'
  transcript: string
  assistantId?: string
  assistantName?: string
  /** A security filter changed the words. */
  isFiltered?: boolean
  detectedThreats?: string[]
  /** The words before the filter. */
  originalTranscript?: string
}

/** Somebody began or stopped speaking. */
export interface SpeechUpdate extends MessageContext {
  type: 'speech-update'
  status: 'started' | 'stopped'
  role: 'assistant' | 'user'
  /** Counts from 0. */
  turn?: number
}

/** The whole conversation so far. `conversation` is sent, though no published schema has it. */
export interface ConversationUpdate extends MessageContext {
  type: 'conversation-update'
  messages?: CallMessage[]
  conversation?: ModelMessage[]
  messagesOpenAIFormatted?: ModelMessage[]
}

/** A piece of the model's output: text, or a tool call. */
export interface ModelOutput extends MessageContext {
  type: 'model-output'
  output: unknown
  turnId?: string
}

/** The model asks for tools. A server answers with `ToolCallsAnswer`; a client cannot answer. */
export interface ToolCalls extends MessageContext {
  type: 'tool-calls'
  toolCallList: ToolCall[]
  /** The same calls, each inside of its tool. */
  toolWithToolCallList?: (CreateTool & { toolCall: ToolCall })[]
}

/**
 * The older form of a tool call: one, and not a list.
 * @deprecated `ToolCalls`
 */
export interface FunctionCallMessage extends MessageContext {
  type: 'function-call'
  functionCall?: { name: string; [field: string]: unknown }
}

/** The call goes to somebody else: another assistant of the squad, another node of the workflow, or a phone. */
export interface TransferUpdate extends MessageContext {
  type: 'transfer-update'
  destination?: TransferDestination
  /** With a destination of type `assistant`. */
  toAssistant?: CreateAssistant
  /** With a destination of type `assistant`. */
  fromAssistant?: CreateAssistant
  toStepRecord?: Record<string, unknown>
  fromStepRecord?: Record<string, unknown>
}

/** The transcriber heard another language and goes on in it. */
export interface LanguageChangeDetected extends MessageContext {
  type: 'language-change-detected'
  language: string
}

/** The caller spoke over the assistant. */
export interface UserInterrupted extends MessageContext {
  type: 'user-interrupted'
  turnId?: string
}

/** What the assistant's voice is about to say. */
export interface VoiceInput extends MessageContext {
  type: 'voice-input'
  input: string
}

/** The assistant is late with an answer (5 s and more): a delay, and not the end of the call. */
export interface Hang extends MessageContext {
  type: 'hang'
}

/** What the platform tells both the client in the room and the assistant's server while a call runs. */
export type LiveMessage =
  | AssistantStarted
  | AssistantSpeechStarted
  | StatusUpdate
  | Transcript
  | SpeechUpdate
  | ConversationUpdate
  | ModelOutput
  | ToolCalls
  | FunctionCallMessage
  | TransferUpdate
  | LanguageChangeDetected
  | UserInterrupted
  | VoiceInput
  | Hang
