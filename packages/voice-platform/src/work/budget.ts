import type { Clock } from '@heyline/kit/clock'

export interface BudgetOptions {
  /** What may be spent each second on average. */
  perSecond: number
  /** What may be spent at once. */
  atOnce: number
}

/** What may still be spent: a bucket that begins full and refills with time. */
export class Budget {
  readonly #clock: Clock
  readonly #options: BudgetOptions
  #left: number
  #at: number

  constructor(clock: Clock, options: BudgetOptions) {
    this.#clock = clock
    this.#options = options
    this.#left = options.atOnce
    this.#at = clock.now()
  }

  /** Spends this amount. False, with nothing spent, when less is left. */
  spend(amount = 1): boolean {
    const { perSecond, atOnce } = this.#options
    const now = this.#clock.now()
    this.#left = Math.min(atOnce, this.#left + (Math.max(0, now - this.#at) * perSecond) / 1000)
    this.#at = now
    if (this.#left < amount) return false
    this.#left -= amount
    return true
  }
}
