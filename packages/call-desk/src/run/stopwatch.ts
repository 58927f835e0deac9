/**
 * Time since it was made. Some systems stop the monotonic clock while the machine is suspended, and the other one can be set back: the
 * greater of both counts.
 */
export class Stopwatch {
  readonly #monotonic = performance.now()
  readonly #wall = Date.now()

  /** Milliseconds. */
  get elapsedMs(): number {
    return Math.max(performance.now() - this.#monotonic, Date.now() - this.#wall)
  }
}
