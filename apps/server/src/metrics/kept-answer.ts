import type { Clock } from '@heyline/kit/clock'

/** Asks at most once in so many milliseconds, whoever asks: those who come meanwhile get the same answer. */
export class KeptAnswer<Value> {
  readonly #ask: () => Promise<Value>
  readonly #keptMs: number
  readonly #clock: Clock
  #answer: { at: number; value: Promise<Value> } | undefined

  constructor(ask: () => Promise<Value>, keptMs: number, clock: Clock) {
    this.#ask = ask
    this.#keptMs = keptMs
    this.#clock = clock
  }

  get(): Promise<Value> {
    const now = this.#clock.now()
    const age = this.#answer && now - this.#answer.at
    // A clock that was set back must not keep an answer for ever.
    if (!this.#answer || age === undefined || age >= this.#keptMs || age < 0)
      this.#answer = { at: now, value: this.#ask() }
    return this.#answer.value
  }
}
