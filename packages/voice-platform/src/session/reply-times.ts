import type { Clock } from '@heyline/kit/clock'
import type { Voice } from '../engines/engine.js'
import type { TurnLatency } from './session.js'

/** Measures how long each part of a reply took until its first output. The tries of an engine count together. */
export class ReplyTimes {
  readonly #clock: Clock
  #model: number | undefined
  #voice: number | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** What was measured so far, in milliseconds. */
  get latency(): Pick<TurnLatency, 'modelLatency' | 'voiceLatency'> {
    return {
      ...(this.#model !== undefined && { modelLatency: this.#model }),
      ...(this.#voice !== undefined && { voiceLatency: this.#voice }),
    }
  }

  /** The model's stream, measured from now on. */
  model(pieces: AsyncIterable<string>): AsyncIterable<string> {
    return this.#timed(pieces, (ms) => {
      this.#model ??= ms
    })
  }

  /** This voice, measured at its first speech. */
  voice(voice: Voice): Voice {
    return {
      name: voice.name,
      speak: (text, options) =>
        this.#timed(voice.speak(text, options), (ms) => {
          this.#voice ??= ms
        }),
    }
  }

  async *#timed<T>(items: AsyncIterable<T>, onItem: (ms: number) => void): AsyncGenerator<T> {
    const start = this.#clock.now()
    for await (const item of items) {
      onItem(this.#clock.now() - start)
      yield item
    }
  }
}
