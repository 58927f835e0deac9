import { type Clock, systemClock } from '../clock/clock.js'

/**
 * Time since it was made. Some systems stop the monotonic clock while the machine is suspended, and the other one can be set back: the
 * greater of both counts.
 */
export class Stopwatch {
  readonly #clock: Clock
  readonly #monotonic: number
  readonly #wall: number

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
    this.#monotonic = clock.monotonic()
    this.#wall = clock.now()
  }

  /** Milliseconds. */
  get elapsedMs(): number {
    return Math.max(this.#clock.monotonic() - this.#monotonic, this.#clock.now() - this.#wall)
  }
}
