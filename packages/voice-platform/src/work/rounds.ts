import type { Clock } from '@heyline/kit/clock'

export interface RoundsOptions {
  clock: Clock
  /** Between two rounds, in milliseconds. */
  everyMs: number
  /** Whether there is anything to look after. */
  needed(): boolean
  go(): void
}

/** Runs a check again and again as long as it is needed. It finds changes of which this process was not told. */
export class Rounds {
  readonly #options: RoundsOptions
  #stopTimer: (() => void) | undefined

  constructor(options: RoundsOptions) {
    this.#options = options
  }

  /** There may be something to look after. */
  begin(): void {
    const { clock, everyMs, needed, go } = this.#options
    if (this.#stopTimer || !needed()) return
    this.#stopTimer = clock.after(everyMs, () => {
      this.#stopTimer = undefined
      go()
      this.begin()
    })
  }

  end(): void {
    this.#stopTimer?.()
    this.#stopTimer = undefined
  }
}
