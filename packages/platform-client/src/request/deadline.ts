/** The longest that a timer can wait. */
const longestMs = 2 ** 31 - 1

/** Throws a `TypeError` for a time that no timer can keep. */
export function checkTimeout(timeoutMs: number): void {
  if (timeoutMs >= 1 && timeoutMs <= longestMs) return
  throw new TypeError(`timeoutMs must be 1 to ${longestMs} milliseconds`)
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
    clearTimeout(this.#timer)
    this.#endsAt = performance.now() + this.#timeoutMs
    this.#timer = setTimeout(() => this.#controller.abort(this.#timeoutError()), this.#timeoutMs)
  }

  /** Waits; rejects with the signal's reason when that comes first. */
  wait(ms: number): Promise<void> {
    const { signal } = this
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer)
        reject(signal.reason)
      }
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop)
        resolve()
      }, ms)
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
    })
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#outer?.removeEventListener('abort', this.#abort)
  }

  readonly #abort = (): void => this.#controller.abort(this.#outer?.reason)
}
