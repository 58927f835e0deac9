import type { Clock } from '@heyline/kit/clock'
import type { Voice } from '../engines/engine.js'
import type { TurnLatency, TurnPart } from './session.js'

/** When an engine was asked, by the clock, and how long its first output took, in milliseconds. */
interface FirstOutput {
  startedAt: number
  tookMs: number
}

/** Measures how long each part of a reply took until its first output. The tries of an engine count together. */
export class ReplyTimes {
  readonly #clock: Clock
  #model: FirstOutput | undefined
  #voice: FirstOutput | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** What was measured so far, in milliseconds. */
  get latency(): Pick<TurnLatency, 'modelLatency' | 'voiceLatency'> {
    return {
      ...(this.#model !== undefined && { modelLatency: this.#model.tookMs }),
      ...(this.#voice !== undefined && { voiceLatency: this.#voice.tookMs }),
    }
  }

  /** The parts that were measured so far, seen from this time. */
  partsAfter(time: number): TurnPart[] {
    const parts = { model: this.#model, voice: this.#voice } as const
    return (['model', 'voice'] as const).flatMap((part) => {
      const first = parts[part]
      return first ? [{ part, afterMs: first.startedAt - time, tookMs: first.tookMs }] : []
    })
  }

  /** The model's stream, measured from now on. */
  model(pieces: AsyncIterable<string>): AsyncIterable<string> {
    return this.#timed(pieces, (first) => {
      this.#model ??= first
    })
  }

  /** This voice, measured at its first speech. */
  voice(voice: Voice): Voice {
    return {
      name: voice.name,
      speak: (text, options) =>
        this.#timed(voice.speak(text, options), (first) => {
          this.#voice ??= first
        }),
    }
  }

  async *#timed<T>(items: AsyncIterable<T>, onItem: (first: FirstOutput) => void): AsyncGenerator<T> {
    const start = this.#clock.now()
    for await (const item of items) {
      onItem({ startedAt: start, tookMs: this.#clock.now() - start })
      yield item
    }
  }
}
