import type { Clock } from '@heyline/kit/clock'
import { Pauses } from './pauses.js'

const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 10_000

/**
 * Work that must not be lost because the database is away for a while, such as storing that a call has ended: done again,
 * with growing pauses, until it succeeds or this is closed.
 */
export class Retries {
  readonly #running = new Set<Promise<unknown>>()
  readonly #pauses: Pauses

  constructor(clock: Clock) {
    this.#pauses = new Pauses(clock)
  }

  /** `onFailed` hears of the first failure. Rejects only once closed, with the failure of one last try. */
  run<T>(work: () => Promise<T>, onFailed: (error: unknown) => void): Promise<T> {
    const done = this.#run(work, onFailed)
    const settled = done.then(forget, forget)
    this.#running.add(settled)
    const running = this.#running
    function forget(): void {
      running.delete(settled)
    }
    return done
  }

  /** Ends all pauses: what waits is tried once more. Resolves when nothing runs. */
  async close(): Promise<void> {
    this.#pauses.close()
    await Promise.all(this.#running)
  }

  async #run<T>(work: () => Promise<T>, onFailed: (error: unknown) => void): Promise<T> {
    let pause = FIRST_PAUSE_MS
    for (let first = true; ; first = false) {
      const isLast = this.#pauses.isClosed
      try {
        return await work()
      } catch (error) {
        if (isLast) throw error
        if (first) onFailed(error)
      }
      await this.#pauses.wait(pause)
      pause = Math.min(LONGEST_PAUSE_MS, 2 * pause)
    }
  }
}
