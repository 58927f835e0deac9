import type { Clock } from '@heyline/kit/clock'
import type { Heard, Transcriber } from '../engines/engine.js'
import { unheardSpeech } from '../engines/engine.js'
import { abortable, followAbort } from '../work/abortable.js'
import type { Line } from './conversation.js'
import { retryOnce } from './retry-once.js'
import type { Turn } from './turn-detector.js'
import { turnWords } from './turn-words.js'

/** What the transcriber made of speech. */
export type Outcome = (Heard & { askedAt: number; tookMs: number }) | { failure: unknown }

/** What became of a turn of the caller: a line for the conversation, nothing worth answering, or a failed transcriber. */
export type HeardTurn =
  | {
      kind: 'line'
      line: Line
      /** Somebody spoke, but the words are not known. The line says so. */
      isUnheard?: boolean
      /** When the transcriber was asked, by the clock, and how long it took, in milliseconds. */
      transcribed?: { askedAt: number; tookMs: number }
    }
  | { kind: 'nothing' }
  | { kind: 'failed'; failure: unknown }

/** Speech that is being transcribed. It joins a turn when `hear` gets it. */
export interface Listening {
  /** Never rejects. */
  readonly outcome: Promise<Outcome>
  /** The caller goes on speaking, so these words are no longer needed. */
  abandon(): void
}

/** Turns the caller's speech into lines, in the order of speaking, even if a turn is no longer answered. */
export class Hearing {
  readonly #transcriber: Transcriber
  readonly #clock: Clock
  readonly #signal: AbortSignal
  #last: Promise<unknown> = Promise.resolve()

  /** `signal` ends all work. What was not heard until then has failed. */
  constructor(transcriber: Transcriber, clock: Clock, signal: AbortSignal) {
    this.#transcriber = transcriber
    this.#clock = clock
    this.#signal = signal
  }

  /** Resolves when the words of all turns so far are known. */
  get settled(): Promise<unknown> {
    return this.#last
  }

  listen(turn: Turn): Listening {
    const { controller, release } = followAbort(this.#signal)
    return {
      outcome: this.#transcribe(turn, controller.signal).finally(release),
      abandon: () => controller.abort(new DOMException('the caller goes on', 'AbortError')),
    }
  }

  /** Resolves after all turns before it. Never rejects. */
  hear(turn: Turn, listening = this.listen(turn)): Promise<HeardTurn> {
    const heard = this.#last.then(async () => heardTurn(turn, await listening.outcome))
    this.#last = heard
    return heard
  }

  async #transcribe({ speech, startedAt }: Turn, signal: AbortSignal): Promise<Outcome> {
    const start = this.#clock.now()
    try {
      const heard = await retryOnce(
        () => abortable(this.#transcriber.transcribe(speech, { signal, startedAt }), signal),
        signal,
      )
      const text = heard.text === null ? null : turnWords(heard.text)
      return { ...heard, text, askedAt: start, tookMs: this.#clock.now() - start }
    } catch (failure) {
      return { failure }
    }
  }
}

/** The words as they stand in the conversation. */
export const lineTextOf = ({ text, durationMs }: Heard): string =>
  text === null ? unheardSpeech(durationMs) : text.trim()

function heardTurn({ startedAt, endedAt }: Turn, outcome: Outcome): HeardTurn {
  if ('failure' in outcome) return { kind: 'failed', failure: outcome.failure }
  const text = lineTextOf(outcome)
  if (text === '') return { kind: 'nothing' }
  const line: Line = { role: 'user', text, time: startedAt, endTime: endedAt }
  const { askedAt, tookMs } = outcome
  return { kind: 'line', line, isUnheard: outcome.text === null, transcribed: { askedAt, tookMs } }
}
