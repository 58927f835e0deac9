import type { Logger } from 'pino'
import type { Engines } from '../engines/engine.js'
import type { Link } from '../link.js'

/** What an assistant does in a call: the part of the platform's assistant (with its overrides applied) that a session uses. */
export interface SessionAssistant {
  /** Spoken first, verbatim. Without one the assistant waits for the caller. */
  firstMessage?: string
  /** The system messages, joined. */
  systemPrompt?: string
  /** The model that the call names (`gpt-4o-mini`). */
  model?: string
  /** Most tokens of a reply; 250 where the call names none. */
  maxTokens?: number
  temperature?: number
  /** End the call after this many seconds (10–43200). */
  maxDurationSeconds: number
  /** End the call after this many seconds in which nobody spoke (10–3600). */
  silenceTimeoutSeconds: number
}

export interface SessionOptions {
  link: Link
  engines: Engines
  assistant: SessionAssistant
  logger: Logger
}

/** One line of a call's record. `bot` is the assistant, as the platform writes it. */
export interface SessionMessage {
  role: 'system' | 'user' | 'bot'
  message: string
  /** Milliseconds since the epoch. */
  time: number
  endTime?: number
  secondsFromStart: number
}

/** What is left of a session when it is over. */
export interface SessionRecord {
  /** The platform's reason: `customer-ended-call`, `assistant-ended-call`, `silence-timed-out`, `exceeded-max-duration`, … */
  endedReason: string
  startedAt: Date
  endedAt: Date
  messages: SessionMessage[]
}

/** One conversation over one link. It owns the link from its start to its end. */
export interface Session {
  /** Resolves once the session is over; never rejects. */
  readonly ended: Promise<SessionRecord>
  /** Ends the call with this reason and closes the link. Idempotent. */
  end(endedReason: string): void
}

export type StartSession = (options: SessionOptions) => Session
