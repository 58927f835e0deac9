import type { AppMessage } from '@heyline/room-protocol'
import type { CallerWords } from './caller-words.js'

/** What the other side of a link does. All handlers are called on the event loop, in the order things happened. */
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
 * One caller's audio and messages, whatever carries them: a socket room, a phone leg, a scripted callee.
 * The session above it knows no transport. A link that is closed ignores everything but answers marks with `cleared`.
 */
export interface Link {
  /** The words that the client recognises itself, where it was asked for them. */
  readonly words?: CallerWords | undefined
  /** Begins delivery; audio and messages that came earlier are delivered first. Called once. */
  open(handlers: LinkHandlers): void
  /** Queues speech for the caller: PCM16 mono 16 kHz. Sent ahead of real time where the transport can queue. */
  send(samples: Int16Array): void
  /** Resolves when all that was sent before it was played, or dropped. Never rejects. */
  mark(): Promise<MarkOutcome>
  /**
   * Drops all speech not yet played and settles its marks as `cleared`. Resolves with the milliseconds of audio
   * that had been played since the last mark that was reached; 0 where the transport can't tell. On a link that is over:
   * what had been played at its end, by the clock, as nobody is left to ask.
   */
  clear(): Promise<number>
  /** Tells the client that the assistant listens: the call has begun. A phone leg has nobody to tell. */
  listening(): void
  /** A message of the platform to the client (`status-update`, `transcript`, …). A phone leg drops it. */
  event(message: AppMessage): void
  /** Ends the link with the call's ended reason. Idempotent. */
  close(endedReason: string): void
}
