import type { Clock } from '@heyline/kit/clock'

/** How long a request that waits is taken for one that was just admitted, in ms. */
const GOOD_MS = 1_000

/** Whether a request that was admitted may still be made. */
export class LaterCheck {
  readonly #ask: () => Promise<unknown>
  readonly #clock: Pick<Clock, 'monotonic'>
  #goodAt: number

  /** @param ask Rejects where the request may not be made any more. It was asked just now. */
  constructor(ask: () => Promise<unknown>, clock: Pick<Clock, 'monotonic'>) {
    this.#ask = ask
    this.#clock = clock
    this.#goodAt = clock.monotonic()
  }

  /** Rejects as what is asked does. */
  async now(): Promise<void> {
    const at = this.#clock.monotonic()
    await this.#ask()
    this.#goodAt = at
  }

  /** The same, where the request has waited since it was let through last. */
  async afterWait(): Promise<void> {
    if (this.#clock.monotonic() - this.#goodAt >= GOOD_MS) await this.now()
  }
}
