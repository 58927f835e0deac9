import type { Clock } from '@heyline/kit/clock'
import { RecentMap } from '@heyline/kit/recent-map'

export interface OpenLimit {
  /** So many count within this time. */
  most: number
  windowMs: number
}

/** So many keys are counted; the one that was counted last the longest ago is forgotten. */
const KEYS = 50_000

/** How often each of any number of keys was counted lately. */
export class OpensInTime {
  readonly #limit: OpenLimit
  readonly #clock: Pick<Clock, 'monotonic'>
  readonly #counts = new RecentMap<string, { count: number; since: number }>(KEYS)

  constructor(limit: OpenLimit, clock: Pick<Clock, 'monotonic'>) {
    this.#limit = limit
    this.#clock = clock
  }

  /** Counts one more; false where that is too many. */
  count(key: string): boolean {
    const { most, windowMs } = this.#limit
    const now = this.#clock.monotonic()
    const known = this.#counts.get(key)
    const current = known && now - known.since < windowMs ? known : { count: 0, since: now }
    if (current.count >= most) return false
    this.#counts.set(key, { ...current, count: current.count + 1 })
    return true
  }
}
