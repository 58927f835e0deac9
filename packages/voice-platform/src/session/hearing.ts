import { SAMPLE_RATE } from '@heyline/room-protocol'
import type { Clock } from '../clock.js'
import { abortable } from '../engines/abortable.js'
import type { Heard, Transcriber } from '../engines/engine.js'
import { unheardSpeech } from '../engines/unheard-speech.js'
import type { Line } from './conversation.js'
import { retryOnce } from './retry-once.js'

/** What became of a turn of the caller: a line for the conversation, nothing worth answering, or a failed transcriber. */
export type HeardTurn =
  | { kind: 'line'; line: Line }
  | { kind: 'nothing' }
  | { kind: 'failed'; failure: unknown }

/** Turns the caller's speech into lines, in the order of speaking, also of turns that are no longer answered. */
export class Hearing {
  readonly #transcriber: Transcriber
  readonly #clock: Clock
  readonly #signal: AbortSignal
  #last: Promise<unknown> = Promise.resolve()

  /** `signal` ends all of it with the call. */
  constructor(transcriber: Transcriber, clock: Clock, signal: AbortSignal) {
    this.#transcriber = transcriber
    this.#clock = clock
    this.#signal = signal
  }

  /** Resolves after all turns before it. Never rejects. */
  hear(speech: Int16Array): Promise<HeardTurn> {
    const endTime = this.#clock.now()
    const time = endTime - Math.round((speech.length / SAMPLE_RATE) * 1000)
    const own = this.#transcribe(speech)
    const turn = this.#last.then(async (): Promise<HeardTurn> => {
      const heard = await own
      if ('failure' in heard) return { kind: 'failed', failure: heard.failure }
      const text = heard.text === null ? unheardSpeech(heard.durationMs) : heard.text.trim()
      return text === '' ? { kind: 'nothing' } : { kind: 'line', line: { role: 'user', text, time, endTime } }
    })
    this.#last = turn
    return turn
  }

  async #transcribe(speech: Int16Array): Promise<Heard | { failure: unknown }> {
    const signal = this.#signal
    try {
      return await retryOnce(
        () => abortable(this.#transcriber.transcribe(speech, { signal }), signal),
        signal,
      )
    } catch (failure) {
      return { failure }
    }
  }
}
