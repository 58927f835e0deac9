import type { Clock } from '@heyline/kit/clock'

/** Changes within this many ms are one: a state still shows within a second. */
const GATHERED_MS = 300

/** Asks anew for what events say has changed: for each noun once, however many events come at a time. */
export class Freshening {
  readonly #clock: Clock
  readonly #ask: (noun: string) => void
  readonly #waiting = new Set<string>()
  #stop = () => {}

  constructor(clock: Clock, ask: (noun: string) => void) {
    this.#clock = clock
    this.#ask = ask
  }

  changed(noun: string): void {
    if (this.#waiting.size === 0) this.#stop = this.#clock.after(GATHERED_MS, () => this.#askAll())
    this.#waiting.add(noun)
  }

  stop(): void {
    this.#stop()
    this.#waiting.clear()
  }

  #askAll(): void {
    const nouns = [...this.#waiting]
    this.#waiting.clear()
    for (const noun of nouns) this.#ask(noun)
  }
}
