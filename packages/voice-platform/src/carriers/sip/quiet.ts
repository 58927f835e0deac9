import type { Clock } from '@heyline/kit/clock'

export interface QuietOptions {
  isBusy(): boolean
  clock(): Clock
}

/** Tells those who wait for it that nothing is under way any more. */
export class Quiet {
  readonly #options: QuietOptions
  #waiting: Array<() => void> = []

  constructor(options: QuietOptions) {
    this.#options = options
  }

  /** Resolves when nothing is under way, or after this many milliseconds. */
  within(milliseconds: number): Promise<void> {
    const { isBusy, clock } = this.#options
    if (!isBusy()) return Promise.resolve()
    return new Promise((resolve) => {
      const stop = clock().after(milliseconds, resolve)
      this.#waiting.push(() => {
        stop()
        resolve()
      })
    })
  }

  /** To be told when something is over. */
  look(): void {
    if (this.#options.isBusy()) return
    for (const tell of this.#waiting.splice(0)) tell()
  }
}
