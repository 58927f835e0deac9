import type { Clock } from '@heyline/kit/clock'

/** An address that has no call with us gets one answer in this time, in milliseconds, and only so many addresses do. */
const REFUSAL_MS = 1_000
const REFUSED_MOST = 1_000

/** Whom of the strangers we have told that we do not know them. */
export class StrangerRefusals {
  readonly #clock: Clock
  readonly #refused = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether this address may be told now. It then counts as told. */
  spend(address: string): boolean {
    const now = this.#clock.monotonic()
    if (now - (this.#refused.get(address) ?? Number.NEGATIVE_INFINITY) < REFUSAL_MS) return false
    if (this.#refused.size >= REFUSED_MOST)
      for (const [other, at] of this.#refused) if (now - at >= REFUSAL_MS) this.#refused.delete(other)
    if (this.#refused.size >= REFUSED_MOST) return false
    this.#refused.set(address, now)
    return true
  }
}
