import type { Clock } from '../clock.js'

interface Timer {
  at: number
  run: () => void
}

/** A clock that stands still until a test turns it. */
export class ManualClock implements Clock {
  #now: number
  readonly #timers = new Set<Timer>()

  constructor(startsAt = 0) {
    this.#now = startsAt
  }

  /** How many timers wait. A call that is over leaves none. */
  get pending(): number {
    return this.#timers.size
  }

  now(): number {
    return this.#now
  }

  after(milliseconds: number, run: () => void): () => void {
    const timer = { at: this.#now + milliseconds, run }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  /** Turns the clock and runs, in order, what comes due. */
  advance(milliseconds: number): void {
    const until = this.#now + milliseconds
    for (let next = this.#nextUntil(until); next; next = this.#nextUntil(until)) {
      this.#timers.delete(next)
      this.#now = next.at
      next.run()
    }
    this.#now = until
  }

  #nextUntil(until: number): Timer | undefined {
    return [...this.#timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
  }
}
