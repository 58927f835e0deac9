/** The longest that a timer can wait. */
const LONGEST_MS = 2 ** 31 - 1

/** Throws a `TypeError` for a time that no timer can keep. */
export function checkTimeout(timeoutMs: number): void {
  if (timeoutMs >= 1 && timeoutMs <= LONGEST_MS) return
  throw new TypeError(`timeoutMs must be 1 to ${LONGEST_MS} milliseconds`)
}

/** The time limit and the caller's abort of one request, as one signal. Close it: it holds a timer and a listener. */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #timeoutMs: number
  readonly #timeoutError: () => Error
  readonly #outer: AbortSignal | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #endsAt = 0

  constructor(timeoutMs: number, timeoutError: () => Error, outer?: AbortSignal) {
    checkTimeout(timeoutMs)
    this.#timeoutMs = timeoutMs
    this.#timeoutError = timeoutError
    this.#outer = outer
    this.restart()
    if (outer?.aborted) this.#abort()
    else outer?.addEventListener('abort', this.#abort)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Milliseconds left, never below 0. */
  get remainingMs(): number {
    return Math.max(0, this.#endsAt - performance.now())
  }

  /** Counts the whole time limit from now: for a stream, where it bounds each silence. */
  restart(): void {
    this.pause()
    this.#endsAt = performance.now() + this.#timeoutMs
    this.#timer = setTimeout(() => this.#controller.abort(this.#timeoutError()), this.#timeoutMs)
  }

  /** Stops counting, until `restart`. */
  pause(): void {
    clearTimeout(this.#timer)
  }

  /**
   * Waits for some work, but no longer than until the signal: a body that has ended on the wire, or a `fetch` of the user's own, may
   * never hear of an abort.
   */
  async race<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this
    signal.throwIfAborted()
    let stop = () => {}
    try {
      const working = work()
      const stopped = new Promise<never>((_, reject) => {
        stop = () => reject(signal.reason)
        signal.addEventListener('abort', stop)
      })
      return await Promise.race([working, stopped])
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  /** Waits; rejects with the signal's reason when that comes first. */
  async wait(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined
    try {
      await this.race(
        () =>
          new Promise<void>((resolve) => {
            timer = setTimeout(resolve, ms)
          }),
      )
    } finally {
      clearTimeout(timer)
    }
  }

  close(): void {
    this.pause()
    this.#outer?.removeEventListener('abort', this.#abort)
  }

  readonly #abort = (): void => this.#controller.abort(this.#outer?.reason)
}
