export interface LoopOptions {
  /** Longest pause between two runs, in milliseconds. */
  everyMs: number
  run(): Promise<void>
  /** Is told of each run that rejected. The loop goes on. */
  onError(error: unknown): void
}

/** Runs a task again and again, one run at a time: at the latest every `everyMs`, and at once when woken. */
export class Loop {
  readonly #options: LoopOptions
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: Promise<void> | undefined
  #woken = false
  #open = false

  constructor(options: LoopOptions) {
    this.#options = options
  }

  start(): void {
    this.#open = true
    this.wake()
  }

  /** Runs now, or once more after the present run. */
  wake(): void {
    if (!this.#open) return
    this.#woken = true
    this.#running ??= this.#run()
  }

  /** Resolves when the present run is over; none begins after that. Idempotent. */
  async close(): Promise<void> {
    this.#open = false
    clearTimeout(this.#timer)
    await this.#running
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer)
    while (this.#woken && this.#open) {
      this.#woken = false
      try {
        await this.#options.run()
      } catch (error) {
        this.#options.onError(error)
      }
    }
    this.#running = undefined
    if (this.#open) this.#timer = setTimeout(() => this.wake(), this.#options.everyMs)
  }
}
