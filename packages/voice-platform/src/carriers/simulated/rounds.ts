import type { Clock } from '@heyline/kit/clock'

export interface RoundsOptions {
  clock: Clock
  /** Between two rounds, in milliseconds. */
  everyMs: number
  /** Whether there is anything to look after. */
  needed(): boolean
  go(): void
}

/** Looks after things from time to time, as long as there are any: what nobody was told of is found by looking. */
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
