import { readClientAddress } from '@heyline/call-desk/client-address'
import type { Clock } from '@heyline/kit/clock'
import { RecentMap } from '@heyline/kit/recent-map'

/** Cuts are counted for so long, in ms. */
const WITHIN_MS = 10_000
/** How long they are refused, in ms. Others may share the address: for them, this is a page that loads slowly. */
const BARRED_MS = 3_000
/** Addresses that are remembered; the first cut ones are forgotten first. */
const MOST_REMEMBERED = 1_000

interface Cuts {
  count: number
  since: number
  barredUntil: number
}

export interface BarredAddressesOptions {
  clock: Clock
  /** With so many cuts within ten seconds an address is barred. */
  most: number
  /** Addresses that are never barred. */
  isExempt: (address: string) => boolean
}

/**
 * Addresses whose connections or requests were cut again and again, an IPv4 address or the /64 of an IPv6 one. Their next ones are refused for
 * a few seconds: that costs less than what they bring.
 */
export class BarredAddresses {
  readonly #options: BarredAddressesOptions
  readonly #cuts = new RecentMap<string, Cuts>(MOST_REMEMBERED)

  constructor(options: BarredAddressesOptions) {
    this.#options = options
  }

  /** Counts a connection or a request of this address that was cut. */
  cut(address: string | undefined): void {
    const key = this.#keyOf(address)
    if (key === undefined) return
    const now = this.#options.clock.monotonic()
    const before = this.#cuts.get(key)
    const cuts = before && now - before.since < WITHIN_MS ? before : { count: 0, since: now, barredUntil: 0 }
    cuts.count += 1
    if (cuts.count >= this.#options.most)
      Object.assign(cuts, { count: 0, since: now, barredUntil: now + BARRED_MS })
    this.#cuts.set(key, cuts)
  }

  isBarred(address: string | undefined): boolean {
    const key = this.#keyOf(address)
    return key !== undefined && (this.#cuts.get(key)?.barredUntil ?? 0) > this.#options.clock.monotonic()
  }

  #keyOf(address: string | undefined): string | undefined {
    if (address === undefined || this.#options.isExempt(address)) return undefined
    return readClientAddress(address)?.address ?? address
  }
}
