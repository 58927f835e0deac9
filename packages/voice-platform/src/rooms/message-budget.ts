import type { Clock } from '../clock.js'

/** Messages a second that a client may send for long, and how many at once. */
const PER_SECOND = 20
const MOST_AT_ONCE = 40

/** How many text messages one client may still send: a bucket that fills with twenty a second, up to forty. */
export class MessageBudget {
  readonly #clock: Clock
  #left = MOST_AT_ONCE
  #at: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#at = clock.now()
  }

  /** Spends one message; false when none is left. */
  spend(): boolean {
    const now = this.#clock.now()
    const filled = (Math.max(0, now - this.#at) * PER_SECOND) / 1000
    this.#left = Math.min(MOST_AT_ONCE, this.#left + filled)
    this.#at = now
    if (this.#left < 1) return false
    this.#left -= 1
    return true
  }
}
