import type { Clock } from '@heyline/kit/clock'

/** So long a call that is not confirmed holds its place while another one waits for it, in milliseconds. An ACK takes far less. */
const HOLD_MS = 4_000

/** Of one call. */
export interface UnconfirmedPlace {
  /** The answer was sent: its ACK should come now. */
  answered(): void
  /** The ACK has come, or the call was not taken: the next one may have the place. Idempotent. */
  free(): void
  /** The call is over and was never confirmed. It holds the place as long as any: else whoever makes calls up has them stored without end. */
  end(): void
}

interface Held {
  /** When it was answered, or over; without end before. */
  since: number
  isOver: boolean
  giveUp(): void
}

/**
 * Calls to us whose callers have not shown that they get our answers (RFC 3261, 13.3.1.4): anybody can make up an INVITE in the trunk's name,
 * and nobody confirms that one. Such calls hold so many places at most, so that they never hold all that the platform has for calls to us.
 * The next one waits; the oldest that was answered is given up for it after a while.
 */
export class UnconfirmedCalls {
  readonly #most: number
  readonly #clock: Clock
  readonly #held = new Set<Held>()
  readonly #waiting: Array<() => void> = []
  #stopTimer = () => {}

  constructor(most: number, clock: Clock) {
    this.#most = most
    this.#clock = clock
  }

  /** Resolves when the call may be taken. `giveUp` has to end it at once: it is asked where another one waits. */
  enter(giveUp: () => void): Promise<UnconfirmedPlace> {
    for (const held of this.#held) if (held.isOver && this.#leftMs(held) <= 0) this.#held.delete(held)
    if (this.#held.size < this.#most) return Promise.resolve(this.#hold(giveUp))
    return new Promise((resolve) => {
      this.#waiting.push(() => resolve(this.#hold(giveUp)))
      this.#watch()
    })
  }

  #hold(giveUp: () => void): UnconfirmedPlace {
    const held: Held = { since: Number.POSITIVE_INFINITY, isOver: false, giveUp }
    this.#held.add(held)
    const begin = () => {
      held.since = Math.min(held.since, this.#clock.monotonic())
    }
    return {
      answered: () => {
        begin()
        this.#watch()
      },
      free: () => this.#free(held),
      end: () => {
        begin()
        held.isOver = true
        this.#watch()
      },
    }
  }

  #free(held: Held): void {
    if (!this.#held.delete(held)) return
    this.#waiting.shift()?.()
    this.#watch()
  }

  #leftMs({ since }: Held): number {
    return since + HOLD_MS - this.#clock.monotonic()
  }

  #watch(): void {
    this.#stopTimer()
    const [oldest] = [...this.#held].toSorted((one, other) => this.#leftMs(one) - this.#leftMs(other))
    if (this.#waiting.length === 0 || !oldest || oldest.since === Number.POSITIVE_INFINITY) return
    this.#stopTimer = this.#clock.after(Math.max(0, this.#leftMs(oldest)), () => {
      if (!oldest.isOver) oldest.giveUp()
      this.#free(oldest)
    })
  }
}
