import { placeOf } from '@heyline/call-desk'
import type { Clock } from '@heyline/kit/clock'
import { RecentMap } from '@heyline/kit/recent-map'
import { OperatorsError } from '../operators/operators-error.js'

export interface AddressTriesOptions {
  /** Tries of one address in so long. */
  most: number
  windowMs: number
  clock: Pick<Clock, 'monotonic'>
}

/** So many addresses are counted; the one that came first is forgotten. */
const ADDRESSES = 10_000

/** How often each address has tried something: an IPv4 address, or the /64 of an IPv6 one. Those nobody can tell apart count as one. */
export class AddressTries {
  readonly #options: AddressTriesOptions
  readonly #counts = new RecentMap<string, { count: number; since: number }>(ADDRESSES)

  constructor(options: AddressTriesOptions) {
    this.#options = options
  }

  /** Counts one more. Throws an `OperatorsError`, `too_many_attempts`, where that is too many. */
  count(address: string | undefined): void {
    const { most, windowMs, clock } = this.#options
    const key = placeOf(address ?? '').address
    const now = clock.monotonic()
    const known = this.#counts.get(key)
    const current = known && now - known.since < windowMs ? known : { count: 0, since: now }
    if (current.count >= most) {
      const waitSeconds = Math.ceil((current.since + windowMs - now) / 1000)
      throw new OperatorsError(
        'too_many_attempts',
        `Too many tries: try again in ${waitSeconds} ${waitSeconds === 1 ? 'second' : 'seconds'}`,
        { waitSeconds },
      )
    }
    this.#counts.set(key, { ...current, count: current.count + 1 })
  }
}
