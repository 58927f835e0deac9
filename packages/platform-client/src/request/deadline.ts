/** The time limit and the caller's abort of one request, as one signal. Close it: it holds a timer and a listener. */
export class Deadline {
  readonly #controller = new AbortController()
  readonly #timer: ReturnType<typeof setTimeout>
  readonly #outer: AbortSignal | undefined
  readonly #endsAt: number

  constructor(timeoutMs: number, timeoutError: () => Error, outer?: AbortSignal) {
    this.#outer = outer
    this.#endsAt = performance.now() + timeoutMs
    this.#timer = setTimeout(() => this.#controller.abort(timeoutError()), timeoutMs)
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
