import type { Logger } from 'pino'
import type { Engines } from '../engines/engine.js'
import type { EngineUsage } from '../engines/engine-usage.js'
import type { WireToolCall } from '../engines/wire-message.js'
import type { Link } from '../link/link.js'
import type { CallTool } from '../tools/call-tool.js'
import type { BridgeCall, TransferDestination, UnansweredTransfer } from './bridge-call.js'
import type { ClientMessage } from './client-message.js'
import type { EndpointingRule } from './endpointing-rules.js'
import type { SessionTool } from './session-tool.js'

/** When a pause of the caller ends the caller's turn (`startSpeakingPlan`), in seconds of silence. */
export interface StartSpeaking {
  /** Least silence before the assistant speaks, 0–5. */
  waitSeconds: number
  /** Silence that ends a turn whose words end with a full stop, 0–3. */
  onPunctuationSeconds: number
  /** … with a word, 0–3. */
  onNoPunctuationSeconds: number
  /** … with a number, 0–3. */
  onNumberSeconds: number
  /** The first of these that holds says how much silence ends a turn, whatever the others say. */
  rules?: readonly EndpointingRule[]
  /** Before the last three, the words themselves say whether they are over (`sentence-ends.ts`). */
  readsWords?: boolean
}

/** When the caller interrupts the assistant (`stopSpeakingPlan`). */
export interface StopSpeaking {
  /** Words that interrupt, 0–10. With 0 the sound of a voice does. */
  numWords: number
  /** Seconds of voice that interrupt while `numWords` is 0: 0–0.5. */
  voiceSeconds: number
  /** Seconds from an interruption until the assistant may speak again, 0–10. */
  backoffSeconds: number
  /** With `numWords`: whoever says only these interrupts nobody, however many words they are. The platform's own where they are left out. */
  acknowledgementPhrases?: readonly string[]
  /** With `numWords`: whoever says one of these interrupts, with however few words. */
  interruptionPhrases?: readonly string[]
}

/** The platform's defaults of `startSpeakingPlan`. */
export const START_SPEAKING: Readonly<StartSpeaking> = {
  waitSeconds: 0.4,
  onPunctuationSeconds: 0.1,
  onNoPunctuationSeconds: 1.5,
  onNumberSeconds: 0.5,
}

/** The platform's defaults of `stopSpeakingPlan`. */
export const STOP_SPEAKING: Readonly<StopSpeaking> = { numWords: 0, voiceSeconds: 0.2, backoffSeconds: 1 }

/** What happens with the keys that the caller presses (`keypadInputPlan`, if it is enabled). */
export interface KeypadInput {
  /** Seconds after the last key until the keys so far are taken, 0–10. With 0 only a delimiter ends them, if there is one. */
  timeoutSeconds: number
  /** Keys that end the input at once: `#`, `*`. */
  delimiters: readonly string[]
}

/** The settings of the platform's assistant that a session uses, with the call's overrides applied. */
export interface SessionAssistant {
  name?: string
  /** Spoken first, verbatim. Without one the assistant waits for the caller. */
  firstMessage?: string
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
}

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
}

/** One conversation over one link. It owns the link from its start to its end, or until a transfer. */
export interface Session {
  /** Resolves once the session is over; never rejects. */
  readonly ended: Promise<SessionRecord>
  /** What has been said so far. */
  messages(): SessionMessage[]
  /** Does what a message says, as if the client had sent it. */
  obey(message: ClientMessage): void
  /** Hands the call over to this number, as its operator wishes. Not done while a transfer is under way. */
  transfer(destination: TransferDestination): void
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
