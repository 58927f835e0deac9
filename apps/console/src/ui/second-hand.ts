import type { Clock } from '@heyline/kit/clock'

const SECOND_MS = 1000

/** The time (ms) in whole seconds, for any number of views: one timer for all of them, and none without one. */
export class SecondHand {
  readonly #clock: Clock
  readonly #listeners = new Set<() => void>()
  #now = 0
  #stop = () => {}

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The same until the next second. */
  readonly get = (): number => {
    if (this.#listeners.size === 0) this.#read()
    return this.#now
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    if (this.#listeners.size === 0) this.#go()
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#stop()
    }
  }

  #read(): void {
    this.#now = Math.floor(this.#clock.now() / SECOND_MS) * SECOND_MS
  }

  #go(): void {
    this.#read()
    this.#stop = this.#clock.after(SECOND_MS - (this.#clock.now() % SECOND_MS), () => {
      this.#go()
      for (const listener of this.#listeners) listener()
    })
  }
}
