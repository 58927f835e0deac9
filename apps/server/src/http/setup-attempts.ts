import { placeOf } from '@heyline/call-desk'
import { type Clock, systemClock } from '@heyline/kit/clock'

/** Tries of one address in so long. */
const MOST = 10
const WINDOW_MS = 10 * 60_000
/** So many addresses are counted; the one that came first is forgotten. */
const ADDRESSES = 10_000

/** How often each address has tried a setup link: an IPv4 address, or the /64 of an IPv6 one. Those nobody can tell apart count as one. */
export class SetupAttempts {
  readonly #clock: Pick<Clock, 'now'>
  readonly #counts = new Map<string, { count: number; since: number }>()

  constructor(clock: Pick<Clock, 'now'> = systemClock) {
    this.#clock = clock
  }

  /** Counts one more. Returns after how many seconds to try again where that is too many. */
  count(address: string | undefined): number | undefined {
    const key = placeOf(address ?? '').address
    const now = this.#clock.now()
    const known = this.#counts.get(key)
    const current = known && now - known.since < WINDOW_MS ? known : { count: 0, since: now }
    if (current.count >= MOST) return Math.ceil((current.since + WINDOW_MS - now) / 1000)
    this.#counts.delete(key)
    this.#counts.set(key, { ...current, count: current.count + 1 })
    const [first] = this.#counts.keys()
    if (this.#counts.size > ADDRESSES && first !== undefined) this.#counts.delete(first)
    return undefined
  }
}
