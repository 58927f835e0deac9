import type { Analysis, Artifact, CallMessage, ToolCall } from './artifact.js'
import type { Assistant, CreateAssistant } from './assistant.js'
import type { Call, CallStatus, EndedReason } from './call.js'
import type { Customer } from './customer.js'
import type { ModelMessage } from './model.js'

/** What every message may carry beside its own fields. */
interface MessageContext {
  /** Milliseconds since the epoch. */
  timestamp?: number
  call?: Call
  assistant?: Assistant | CreateAssistant
  customer?: Customer
  phoneNumber?: Record<string, unknown>
}

/** The call's status changed. `endedReason` comes with `ended`. */
export interface StatusUpdate extends MessageContext {
  type: 'status-update'
  status: CallStatus
  endedReason?: EndedReason
  messages?: CallMessage[]
  artifact?: Artifact
  transcript?: string
  summary?: string
}

/** The call is over; sent once, after its analysis. */
export interface EndOfCallReport extends MessageContext {
  type: 'end-of-call-report'
  endedReason: EndedReason
  /** US dollars. */
  cost?: number
  costs?: Record<string, unknown>[]
  /** ISO 8601. */
  startedAt?: string
  /** ISO 8601. */
  endedAt?: string
  /** Seconds. */
  durationSeconds?: number
  artifact: Artifact
  analysis: Analysis
}

/** Somebody's words. A partial transcript is replaced by the next one of the same role. */
export interface Transcript extends MessageContext {
  type: 'transcript' | 'transcript[transcriptType="final"]' | "transcript[transcriptType='final']"
  role: 'assistant' | 'user'
  transcriptType: 'partial' | 'final'
  transcript: string
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

/** The model asks for tools; the server answers with their results. */
export interface ToolCalls extends MessageContext {
  type: 'tool-calls'
  toolCallList: ToolCall[]
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

/** What the platform posts to the assistant's server, as the `message` of the body. More types exist than are typed here. */
export type ServerMessage =
  | StatusUpdate
  | EndOfCallReport
  | Transcript
  | SpeechUpdate
  | ConversationUpdate
  | ModelOutput
  | ToolCalls
  | UserInterrupted
  | VoiceInput
  | Hang

/** Body of a server message's request. */
export interface ServerMessageRequest {
  message: ServerMessage
}

/** What the platform sends to a client in the room: the same shapes, less the report. */
export type ClientMessage = Exclude<ServerMessage, EndOfCallReport>
