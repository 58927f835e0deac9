import type { Clock } from '@heyline/kit/clock'
import { Pauses } from './pauses.js'

const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 10_000

/**
 * Runs work again until it succeeds, with pauses that grow from 0.2 s to 10 s. For work that an absent database must not lose, such as
 * storing the end of a call.
 */
export class Retries {
  readonly #running = new Set<Promise<unknown>>()
  readonly #pauses: Pauses

  constructor(clock: Clock) {
    this.#pauses = new Pauses(clock)
  }

  /** `onFailed` hears of the first failure. Rejects only after `close`, with the failure of one last try. */
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
