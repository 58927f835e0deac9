import { systemClock } from '../clock/clock.js'

export interface LoopOptions {
  /** Longest pause between two runs, in milliseconds. */
  everyMs: number
  /** Shortest time from the beginning of a run to that of the next one, in milliseconds; 0 unless given. */
  apartMs?: number
  run(): Promise<void>
  /** Is told of each run that rejected. The loop goes on. */
  onError(error: unknown): void
}

/**
 * Runs a task again and again, one run at a time: at the latest every `everyMs`, and at once when woken. Where the last run began less than
 * `apartMs` ago, it waits for the rest of that time, so that what comes in quick succession is dealt with together.
 */
export class Loop {
  readonly #options: LoopOptions
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: Promise<void> | undefined
  #woken = false
  #beganAt = Number.NEGATIVE_INFINITY
  #open = false

  constructor(options: LoopOptions) {
    this.#options = options
  }

  start(): void {
    this.#open = true
    this.wake()
  }

  /** Runs as soon as it may, or once more after the present run. */
  wake(): void {
    if (!this.#open) return
    this.#woken = true
    if (!this.#running) this.#runInTime()
  }

  /** Resolves when the present run is over; none begins after that. Idempotent. */
  async close(): Promise<void> {
    this.#open = false
    clearTimeout(this.#timer)
    await this.#running
  }

  #runInTime(): void {
    clearTimeout(this.#timer)
    const waitMs = this.#beganAt + (this.#options.apartMs ?? 0) - systemClock.monotonic()
    if (waitMs <= 0) this.#running = this.#run()
    else this.#timer = setTimeout(() => this.wake(), waitMs)
  }

  async #run(): Promise<void> {
    this.#beganAt = systemClock.monotonic()
    this.#woken = false
    try {
      await this.#options.run()
    } catch (error) {
      this.#options.onError(error)
    }
    this.#running = undefined
    if (!this.#open) return
    if (this.#woken) this.#runInTime()
    else this.#timer = setTimeout(() => this.wake(), this.#options.everyMs)
  }
}
