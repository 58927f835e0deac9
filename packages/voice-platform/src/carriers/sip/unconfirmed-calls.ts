import type { Clock } from '@heyline/kit/clock'

/** So long a call that is answered and not confirmed holds its place while another one waits for it, in milliseconds. An ACK takes far less. */
const HOLD_MS = 4_000

/** Of one call. */
export interface UnconfirmedPlace {
  /** The answer was sent: its ACK should come now. */
  answered(): void
  /** The ACK has come, or the call is over. Idempotent. */
  leave(): void
}

interface Held {
  answeredAt: number | undefined
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
    if (this.#held.size < this.#most) return Promise.resolve(this.#hold(giveUp))
    return new Promise((resolve) => {
      this.#waiting.push(() => resolve(this.#hold(giveUp)))
      this.#watch()
    })
  }

  #hold(giveUp: () => void): UnconfirmedPlace {
    const held: Held = { answeredAt: undefined, giveUp }
    this.#held.add(held)
    return {
      answered: () => {
        held.answeredAt ??= this.#clock.monotonic()
        this.#watch()
      },
      leave: () => {
        if (!this.#held.delete(held)) return
        this.#waiting.shift()?.()
        this.#watch()
      },
    }
  }

  #watch(): void {
    this.#stopTimer()
    const [oldest] = [...this.#held].filter(({ answeredAt }) => answeredAt !== undefined)
    if (this.#waiting.length === 0 || oldest?.answeredAt === undefined) return
    const forMs = oldest.answeredAt + HOLD_MS - this.#clock.monotonic()
    this.#stopTimer = this.#clock.after(Math.max(0, forMs), () => oldest.giveUp())
  }
}
