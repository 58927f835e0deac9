import type { Clock } from '@heyline/kit/clock'
import { pause } from './abortable.js'

export interface BudgetOptions {
  /** What may be spent each second on average. */
  perSecond: number
  /** What may be spent at once. */
  atOnce: number
}

/** What may still be spent: a bucket that begins full and refills with time. */
export class Budget {
  readonly #clock: Clock
  #options: BudgetOptions
  #left: number
  #at: number

  constructor(clock: Clock, options: BudgetOptions) {
    this.#clock = clock
    this.#options = options
    this.#left = options.atOnce
    this.#at = clock.monotonic()
  }

  /** What may be spent now. */
  get left(): number {
    return this.#refill()
  }

  /** Spends this amount. False, with nothing spent, when less is left, or when less than `keeping` would stay. */
  spend(amount = 1, { keeping = 0 } = {}): boolean {
    if (this.#refill() < amount + keeping) return false
    this.#left -= amount
    return true
  }

  /** Spends this amount as soon as it is left. What is more than may be spent at once costs as much as that. Rejects only with the signal's reason. */
  async spendInTime(amount: number, signal: AbortSignal): Promise<void> {
    const { perSecond, atOnce } = this.#options
    const cost = Math.min(amount, atOnce)
    while (!this.spend(cost)) {
      const missing = cost - this.#refill()
      await pause(this.#clock, Math.ceil((missing * 1000) / perSecond), signal)
    }
  }

  /** From now on so much more may be spent. What was spent stays spent. */
  widen(options: BudgetOptions): void {
    this.#left = this.#refill() + options.atOnce - this.#options.atOnce
    this.#options = options
  }

  /** Adds what has come in since the last time; the result is what is left now. */
  #refill(): number {
    const { perSecond, atOnce } = this.#options
    const now = this.#clock.monotonic()
    this.#left = Math.min(atOnce, this.#left + (Math.max(0, now - this.#at) * perSecond) / 1000)
    this.#at = now
    return this.#left
  }
}
