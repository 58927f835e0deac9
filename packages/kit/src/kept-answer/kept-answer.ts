import { type Clock, systemClock } from '../clock/clock.js'

export interface KeptAnswerOptions<Value> {
  ask: () => Promise<Value>
  /** How long an answer holds from when it was asked for, in ms. */
  keptMs: number
  clock?: Pick<Clock, 'monotonic'>
}

/** Asks at most once in so many milliseconds, however many want to know: those who come meanwhile get the same answer, or the same failure. */
export class KeptAnswer<Value> {
  readonly #options: KeptAnswerOptions<Value>
  readonly #clock: Pick<Clock, 'monotonic'>
  #answer: { at: number; value: Promise<Value> } | undefined

  constructor(options: KeptAnswerOptions<Value>) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
  }

  get(): Promise<Value> {
    const answer = this.#answer
    return answer && this.#clock.monotonic() - answer.at < this.#options.keptMs ? answer.value : this.renew()
  }

  /** Asks now. The answer holds for those who come after. */
  renew(): Promise<Value> {
    const value = this.#options.ask()
    this.#answer = { at: this.#clock.monotonic(), value }
    return value
  }
}
