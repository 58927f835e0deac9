import type { Logger } from 'pino'
import type { Engines } from '../engines/engine.js'
import type { EngineUsage } from '../engines/engine-usage.js'
import type { WireToolCall } from '../engines/wire-message.js'
import type { Link } from '../link/link.js'
import type { CallTool } from '../tools/call-tool.js'
import type { BridgeCall, TransferDestination, UnansweredTransfer } from './bridge-call.js'
import type { ClientMessage } from './client-message.js'
import type { Activation, HandoffTarget, SessionAssistant } from './session-assistant.js'

export type { SessionAssistant } from './session-assistant.js'
export type { KeypadInput, StartSpeaking, StopSpeaking } from './speaking-plans.js'
export { START_SPEAKING, STOP_SPEAKING } from './speaking-plans.js'

/** Words that a caller has to hear. */
export interface Opening {
  text: string
  /** Told once whether the caller has heard them to their end. */
  onSaid(isHeard: boolean): void
}

export interface SessionOptions {
  link: Link
  engines: Engines
  assistant: SessionAssistant
  /** Where the assistant is stored. */
  assistantId?: string | undefined
  /** The node of a workflow that it speaks in. */
  node?: string | undefined
  /** Counts what the engines work. */
  usage?: EngineUsage | undefined
  /** A voicemail box listens, and its greeting is over. Left out: a person. */
  by?: 'machine'
  /** Said before anything else, and nobody can talk over it. */
  opening?: Opening | undefined
  /** Called with each line when its words are final, even if the client does not get it. */
  onTranscribed?: (role: 'user' | 'assistant', transcript: string) => void
  /** Called when the caller begins to hear the reply to a turn. */
  onMeasured?: ((turn: MeasuredTurn) => void) | undefined
  /** Hands the call over to a phone number. Left out where the call cannot be bridged: the caller is then told the number. */
  bridge?: BridgeCall | undefined
  /** What the model may use beside `assistant.tools`. Of two with one name, the first counts. */
  tools?: readonly CallTool[] | undefined
  /** How often the call may use them; see `tool-rounds.ts` for the default. */
  mostToolCalls?: number | undefined
  /**
   * Of a call whose carrier bills each minute that has begun: how long ago it was answered, in milliseconds. Its longest time counts from
   * then, and it ends a little before that time is up.
   */
  answeredMsAgo?: number | undefined
  /** Aborts when the process is about to stop: the record of a call that is over then waits no longer for its caller's last words. */
  closing?: AbortSignal | undefined
  logger: Logger
}

/** One line of a call's record. `bot` is the assistant, as the platform writes it. */
export interface SessionMessage {
  role: 'system' | 'user' | 'bot' | 'tool_calls' | 'tool_call_result'
  /** Empty for tools. */
  message: string
  /** Milliseconds since the epoch. */
  time: number
  endTime?: number
  secondsFromStart: number
  /** Of `tool_calls`: the tools that the model wants used. */
  toolCalls?: WireToolCall[]
  /** Of `tool_call_result`: whose result it is. */
  toolCallId?: string
  name?: string
  result?: string
}

/** How long the reply to one turn took, in milliseconds. A part that was not measured is missing. The names are the platform's. */
export interface TurnLatency {
  /** From the caller's last sound to the first sound of the reply that was sent. */
  turnLatency?: number
  /** From the caller's last sound to the decision that the turn is over. */
  endpointingLatency?: number
  transcriberLatency?: number
  /** Until the model's first words. */
  modelLatency?: number
  /** Until the voice's first sound. */
  voiceLatency?: number
}

/** Work of an engine for a turn: when it began, after the caller's last sound, and how long it took until its first output; in milliseconds. */
export interface TurnPart {
  part: 'transcriber' | 'model' | 'voice'
  afterMs: number
  tookMs: number
}

/** A turn whose reply the caller begins to hear now. */
export interface MeasuredTurn {
  latency: TurnLatency
  parts: readonly TurnPart[]
}

/** What a session measured on its audio. */
export interface SessionPerformance {
  /** The turns that were answered, in order. */
  turns: TurnLatency[]
  /** How often the caller interrupted the assistant. */
  numAssistantInterrupted?: number
}

/** The outcome of a session. */
export interface SessionRecord {
  /** The platform's reason: `customer-ended-call`, `assistant-ended-call`, `silence-timed-out`, `exceeded-max-duration`, … */
  endedReason: string
  startedAt: Date
  endedAt: Date
  messages: SessionMessage[]
  /** Becomes the call's `artifact.performanceMetrics`; left out if nothing was measured. */
  performance?: SessionPerformance
  /** The number that the call was transferred to and ended with, E.164. */
  forwardedTo?: string
  /** Who spoke, in order; left out where nobody took over. */
  activations?: Activation[]
  /** What was read from the conversation for those who took over. */
  variables?: Record<string, unknown>
}

/** One conversation over one link. It owns the link from its start to its end, or until a transfer. */
export interface Session {
  /** Resolves once the call is over and its link closed; never rejects. */
  readonly closed: Promise<void>
  /** Resolves once the caller's last words are known, too, some seconds after the call at most; never rejects. */
  readonly ended: Promise<SessionRecord>
  /** What has been said so far. */
  messages(): SessionMessage[]
  /** Does what a message says, as if the client had sent it. */
  obey(message: ClientMessage): void
  /** Hands the call over to this number, as its operator wishes. Not done while a transfer is under way. */
  transfer(destination: TransferDestination): void
  /** Hands the call to another assistant. Not done while a handoff or a transfer is under way. */
  handOff(target: HandoffTarget): void
  /** Nobody has answered the transfer: the caller is at the other end of this link again. Closes it where the call is over. */
  backFromTransfer(link: Link, why: UnansweredTransfer): void
  /** A voicemail box listens: cuts what is being said, leaves the assistant's message, if there is one, and ends the call as `voicemail`. */
  leaveMessage(): void
  /** Cuts what is being said, says this and ends the call with this reason. A muted assistant, or one that has handed the caller over, only ends it. */
  sayGoodbye(text: string, endedReason: string): void
  /** Ends the call with this reason and closes the link. Idempotent. */
  end(endedReason: string): void
}

export type StartSession = (options: SessionOptions) => Session
