import type { AppMessage } from '@heyline/room-protocol'
import type { CallerWords } from './caller-words.js'

/** Told what the other side of a link does, in the order in which it happened. */
export interface LinkHandlers {
  /** Audio of the caller: PCM16 mono 16 kHz, any number of samples. */
  onAudio(samples: Int16Array): void
  /** A message of the client to the assistant: `say`, `control`, `add-message`, `end-call`, `hangup`, … */
  onMessage(message: AppMessage): void
  /** A key pressed on a phone: one of 0-9, *, #, A-D. */
  onDigit(digit: string): void
  /** The caller is gone; called once, and nothing after it. Not called for our own `close`. */
  onClosed(reason: 'left' | 'lost'): void
}

/** How a mark ended: its audio was heard to the end, or was dropped before. */
export type MarkOutcome = 'played' | 'cleared'

/**
 * One caller's audio and messages. A socket room, a phone leg or a scripted callee carries them; the session knows none of these.
 * A closed link ignores every call, and answers marks with `cleared`.
 */
export interface Link {
  /** The words that the client's own speech recognition finds, where the client was asked for them. */
  readonly words?: CallerWords | undefined
  /** Begins delivery; audio and messages that came earlier are delivered first. Called once. */
  open(handlers: LinkHandlers): void
  /** Queues speech for the caller: PCM16 mono 16 kHz. Sent ahead of real time where the transport can queue. */
  send(samples: Int16Array): void
  /** Presses keys after all that was sent: 0-9, *, #, A-D. Left out where the line has only their tones for that. */
  press?(keys: string): void
  /** The sound of an office from now on, under speech and between it; `false` ends it. Left out where a line plays nothing but what is sent. */
  office?(isOn?: boolean): void
  /** Resolves when all that was sent before it was played, or dropped. Never rejects. */
  mark(): Promise<MarkOutcome>
  /**
   * Drops all speech not yet played and settles its marks as `cleared`. Resolves with the milliseconds of audio that were
   * played since the last mark that was reached; 0 where the transport can't tell. After the end of the link the clock tells
   * what was played, as there is nobody left to ask.
   */
  clear(): Promise<number>
  /** Tells the client that the assistant listens: the call has begun. A phone leg has nobody to tell. */
  listening(): void
  /** A message of the platform to the client (`status-update`, `transcript`, …). A phone leg drops it. */
  event(message: AppMessage): void
  /** Ends the link with the call's ended reason. Idempotent. */
  close(endedReason: string): void
}
