import type { Clock } from '@heyline/kit/clock'

/** Waits between tries that can all be ended at once. */
export class Pauses {
  readonly #clock: Clock
  readonly #ends = new Set<() => void>()
  #isClosed = false

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** True after `close`: a try that fails now is the last. */
  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Resolves after this many milliseconds, or on `close`. */
  wait(ms: number): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    return new Promise((resolve) => {
      const end = () => {
        stop()
        this.#ends.delete(end)
        resolve()
      }
      const stop = this.#clock.after(ms, end)
      this.#ends.add(end)
    })
  }

  /** Ends all pauses. */
  close(): void {
    this.#isClosed = true
    for (const end of this.#ends) end()
  }
}
