import type { Model, ModelMessage } from '../engines/engine.js'
import type { CallTool } from '../tools/call-tool.js'
import type { TransferDestination } from './bridge-call.js'
import type { KeypadInput, StartSpeaking, StopSpeaking } from './speaking-plans.js'

/** Most tokens of a reply, where the assistant names none. */
export const DEFAULT_MAX_TOKENS = 250

/** The settings of the platform's assistant that a session uses, with the call's overrides applied. */
export interface SessionAssistant {
  name?: string
  /** Spoken first, verbatim. Without one the assistant waits for the caller. */
  firstMessage?: string
  /** After a handoff it says nothing before the caller does. */
  waitsForCaller?: boolean
  /** The model makes the first words itself, instead of `firstMessage`. */
  modelSpeaksFirst?: boolean
  /** The system messages, joined. */
  systemPrompt?: string
  /** The model that the call names (`gpt-4o-mini`). */
  model?: string
  /** Most tokens of a reply; 250 where the call names none. */
  maxTokens?: number
  temperature?: number
  /** Most characters that the model is given with each reply beside the conversation: what was looked up. */
  materialCharacters?: number
  /** What the model may do besides speaking. */
  tools?: readonly SessionTool[]
  /** The speaker that the assistant names (`voice.voiceId`), for voice engines that have several. */
  voiceId?: string
  /** End the call after this many seconds (10–43200). */
  maxDurationSeconds: number
  /** End the call after nobody has spoken for this many seconds (10–3600). */
  silenceTimeoutSeconds: number
  /** Omitted settings have the platform's defaults, see `START_SPEAKING`. */
  startSpeaking?: Partial<StartSpeaking>
  stopSpeaking?: Partial<StopSpeaking>
  /** The caller may interrupt the first message. */
  firstMessageInterruptible?: boolean
  /** What is heard behind the assistant, where the link can play it. */
  backgroundSound?: 'office'
  /** The call ends once the assistant has said one of these, in whatever case. */
  endCallPhrases?: readonly string[]
  /** All that a voicemail box hears. Without one the call ends. */
  voicemailMessage?: string
  /** Said before the client's `end-call` ends the call. */
  endCallMessage?: string
  /** Without it, keys do nothing. */
  keypadInput?: KeypadInput
  /** Types of messages that the client gets. Without it, the platform's default, see `client-events.ts`. */
  clientMessages?: readonly string[]
  /** Of a workflow's node: where the call goes once it has spoken, or once the caller has answered. */
  onward?: { target: HandoffTarget; once: 'spoken' | 'answered' }
}

/** What the model may do in a call, besides speaking. */
export type SessionTool =
  | {
      type: 'transferCall'
      name: string
      description?: string
      destinations: readonly TransferDestination[]
      assistants?: readonly HandoffTarget[]
    }
  /** With `ask`, the arguments say to whom, and somebody else decides. */
  | {
      type: 'handoff'
      name: string
      description?: string
      destinations: readonly HandoffTarget[]
      ask?: (given: Record<string, unknown>) => HandoffTarget
      parameters?: object
    }
  /** A way on to another step of a workflow: `description` says when it is taken. */
  | { type: 'way'; name: string; description?: string; target: HandoffTarget }
  | { type: 'dtmf'; name: string; description?: string }
  /** `message` is said before the call ends; else the assistant's own goodbye, if it has one. */
  | { type: 'endCall'; name: string; description?: string; message?: string }

/**
 * What the next model reads of the conversation so far: all of it, none, what the caller and the assistants said, or so many of the latest
 * lines. The new prompt takes the place of the old one; with `rolling` it stands behind it.
 */
export type KeptHistory = 'all' | 'rolling' | 'none' | 'words' | { last: number }

/** What is found behind a target: somebody who speaks, another end of the call, or a reason why nobody takes over. */
export type Opened = {
  /** What was read in a workflow's node that is left, for the call's record. */
  read?: Readonly<Record<string, unknown>>
} & (
  | {
      type: 'speaker'
      speaker: NextSpeaker
      history?: KeptHistory /** What was found out on the way, for the models. */
      results?: readonly string[]
    }
  | { type: 'transfer'; destination: TransferDestination }
  | { type: 'end'; message?: string }
  | { type: 'refused'; why: string }
)

/** Somebody whom a call can be handed to. */
export interface HandoffTarget {
  /** By which a model chooses it. */
  name: string
  /** Tells the model when to choose it. */
  description?: string
  /** Said first. */
  message?: string
  history: KeptHistory
  /** A step of a workflow: the caller hears of no other assistant. */
  isStep?: boolean
  /** `said`: the conversation so far, as a model reads it. Aborts when the call is over. */
  open(said: readonly ModelMessage[], signal: AbortSignal): Promise<Opened>
}

/** An assistant that can take over a call. */
export interface NextSpeaker {
  /** Where it is stored. */
  id?: string
  assistant: SessionAssistant
  model: Model
  /** What its model may use beside `assistant.tools`. */
  tools?: readonly CallTool[]
  /** The workflow's node that it speaks in. */
  node?: string
}

/** One that spoke in a call. */
export interface Activation {
  assistantName: string
  assistantId?: string
  /** The node of a workflow. */
  node?: string
  /** What was read in that node. */
  variables?: Record<string, unknown>
  /** When it began, in milliseconds since the epoch. */
  time: number
}
