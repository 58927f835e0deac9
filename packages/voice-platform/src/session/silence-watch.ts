import type { Clock } from '@heyline/kit/clock'

/** Goes off once it has been quiet for a given time. */
export class SilenceWatch {
  readonly #clock: Clock
  readonly #timeoutMs: number
  readonly #timedOut: () => void
  #stop: (() => void) | undefined

  constructor(clock: Clock, timeoutMs: number, timedOut: () => void) {
    this.#clock = clock
    this.#timeoutMs = timeoutMs
    this.#timedOut = timedOut
  }

  /** Tells whether it is quiet right now; the time runs from when it became so. */
  update(isQuiet: boolean): void {
    if (!isQuiet) this.close()
    else this.#stop ??= this.#clock.after(this.#timeoutMs, this.#timedOut)
  }

  close(): void {
    this.#stop?.()
    this.#stop = undefined
  }
}
