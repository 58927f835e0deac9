import { type Clock, systemClock } from '@heyline/kit/clock'

/**
 * How far apart two signals of a kind are taken for one, in ms. Under npm one Ctrl-C comes twice: the terminal signals every process, and npm
 * passes on its own. So does the SIGTERM of service managers that signal a whole group.
 */
const SAME_MS = 1_000

/** Tells the signals of a process apart: the first one stops it in order, and another one at once. */
export class StopSignals {
  readonly #clock: Pick<Clock, 'monotonic'>
  #first: { signal: string; at: number } | undefined

  constructor(clock: Pick<Clock, 'monotonic'> = systemClock) {
    this.#clock = clock
  }

  /** What this signal means; undefined where it is the first one once more. */
  meaningOf(signal: string): 'stop' | 'stop-at-once' | undefined {
    const at = this.#clock.monotonic()
    if (!this.#first) {
      this.#first = { signal, at }
      return 'stop'
    }
    return signal === this.#first.signal && at - this.#first.at < SAME_MS ? undefined : 'stop-at-once'
  }
}
