import type { Clock } from '@heyline/kit/clock'

/**
 * So long a call that is not confirmed holds its place while one other waits for it, in milliseconds: an answer that was lost is sent again
 * after 500 ms (T1), and its ACK may take as long.
 */
const HOLD_MS = 1_000
/** And while several wait: an ACK takes one round trip, for which SIP allows T1. */
const SHORT_HOLD_MS = 500
/** So long after a call is over its place is still taken: the limits of calls to us hear of its end a moment later, and would refuse the next. */
const SETTLE_MS = 100
/** Calls that nobody confirmed leave a place this often in the long run, in milliseconds: each is stored. */
const PACE_MS = 1_000
/** They may be ahead of that pace by as much, in milliseconds of it: 30 calls at one place. */
const AHEAD_MS = 30_000

/** What waits for a place. */
export interface UnconfirmedCall {
  /** Has to end the call at once. It is asked where the place is needed by another one. */
  hangUp(): void
}

/** Of one call. */
export interface UnconfirmedPlace {
  /** Somebody's server is asked about the call: one that is slow keeps no other call out. */
  asking(): void
  /** The answer was sent: its ACK should come now. */
  answered(): void
  /** The ACK has come, or the call was not taken: the next one may have the place. Idempotent. */
  free(): void
  /** The call is over and was never confirmed. It holds the place as long as any: else whoever makes calls up has them stored without end. */
  end(): void
}

interface Held {
  call: UnconfirmedCall
  /** When it was answered, or over, or a server was asked. Before that it is Infinity, and -Infinity once it is given up. */
  since: number
  /** When it was over, or given up. */
  overAt?: number
}

/**
 * Calls to us whose callers have not shown that they get our answers (RFC 3261, 13.3.1.4): anybody can make up an INVITE in the trunk's name,
 * and nobody confirms that one. Such calls hold so many places at most, so that they never hold all that the platform has for calls to us.
 * Where others wait, the oldest that was answered, or about which a server is asked, is given up after a short while, and the newest has its place: made-up calls that come
 * steadily, or came before in a crowd, are no queue in front of a real one. One place takes one such call a second in the long run, and
 * 30 more.
 */
export class UnconfirmedCalls {
  readonly #most: number
  readonly #clock: Clock
  readonly #held = new Set<Held>()
  /** The newest is the last. */
  readonly #waiting = new Map<UnconfirmedCall, (place: UnconfirmedPlace | undefined) => void>()
  /** When all calls that were not confirmed would have left, had they kept to the pace. */
  #pacedUntil = Number.NEGATIVE_INFINITY
  #stopTimer = () => {}

  constructor(most: number, clock: Clock) {
    this.#most = most
    this.#clock = clock
  }

  /** Resolves when the call may be taken; with nothing where it was withdrawn before. */
  enter(call: UnconfirmedCall): Promise<UnconfirmedPlace | undefined> {
    return new Promise((resolve) => {
      this.#waiting.set(call, resolve)
      this.#serve()
    })
  }

  /** The call waits no longer. Idempotent. */
  withdraw(call: UnconfirmedCall): void {
    const resolve = this.#waiting.get(call)
    if (!resolve) return
    this.#waiting.delete(call)
    resolve(undefined)
    this.#serve()
  }

  /** Reads all anew for each step: a call that is given up may have others enter or leave. */
  #serve(): void {
    this.#stopTimer()
    for (let next = this.#newest(); next; next = this.#newest()) {
      if (this.#held.size >= this.#most) {
        const oldest = this.#oldest()
        if (!oldest) return
        const left = this.#leavesAt(oldest) - this.#clock.monotonic()
        if (left > 0) {
          this.#stopTimer()
          this.#stopTimer = this.#clock.after(left, () => this.#serve())
          return
        }
        if (oldest.overAt === undefined) {
          oldest.overAt = this.#clock.monotonic()
          oldest.since = Number.NEGATIVE_INFINITY
          oldest.call.hangUp()
        } else this.#leave(oldest)
        continue
      }
      const [call, resolve] = next
      this.#waiting.delete(call)
      resolve(this.#hold(call))
    }
  }

  #newest() {
    return [...this.#waiting].at(-1)
  }

  /** Of those that were answered, or are over, or wait for a server. */
  #oldest(): Held | undefined {
    const [oldest] = [...this.#held].toSorted((one, other) => one.since - other.since)
    return oldest?.since === Number.POSITIVE_INFINITY ? undefined : oldest
  }

  /** When it is given up; of one that is over, when the next one may have its place. */
  #leavesAt({ since, overAt = Number.NEGATIVE_INFINITY }: Held): number {
    const hold = this.#waiting.size > 1 ? SHORT_HOLD_MS : HOLD_MS
    return Math.max(since + hold, overAt + SETTLE_MS, this.#pacedUntil - AHEAD_MS)
  }

  #leave(held: Held): void {
    this.#held.delete(held)
    this.#pacedUntil = Math.max(this.#pacedUntil, this.#clock.monotonic()) + PACE_MS / this.#most
  }

  #hold(call: UnconfirmedCall): UnconfirmedPlace {
    const held: Held = { call, since: Number.POSITIVE_INFINITY }
    this.#held.add(held)
    const begin = () => {
      if (!this.#held.has(held)) return
      held.since = Math.min(held.since, this.#clock.monotonic())
      this.#serve()
    }
    return {
      asking: begin,
      answered: () => {
        // The time of the server is none of that for the ACK.
        if (held.overAt === undefined) held.since = Number.POSITIVE_INFINITY
        begin()
      },
      free: () => {
        if (this.#held.delete(held)) this.#serve()
      },
      end: () => {
        held.overAt ??= this.#clock.monotonic()
        begin()
      },
    }
  }
}
