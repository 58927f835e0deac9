import type { Leave } from '@heyline/call-desk'
import { placeOf } from '@heyline/call-desk/client-address'
import { ClientPlaces } from '@heyline/call-desk/client-places'
import { isLoopback } from '@heyline/kit/loopback'

export interface AddressSharesOptions {
  /** How much one address may have at once. */
  most: number
  /** Addresses that are not counted. By default this machine, because a proxy or a tunnel on it may carry everybody's connections. */
  isExempt?: (address: string) => boolean
}

/** A network may have so many times as much as one address: one line of IPv6 has up to 65,536 addresses of its own. */
const NETWORK_FACTOR = 5

/** How much of something each address has now, an IPv4 address or the /64 of an IPv6 one, and each network: the /24 or /48. */
export class AddressShares {
  readonly #isExempt: (address: string) => boolean
  readonly #places: ClientPlaces

  constructor({ most, isExempt = isLoopback }: AddressSharesOptions) {
    this.#isExempt = isExempt
    this.#places = new ClientPlaces({ address: most, network: NETWORK_FACTOR * most })
  }

  /** Takes one. Returns a function that gives it back, once; undefined if this address has all that it may have. */
  take(address: string | undefined): Leave | undefined {
    if (address === undefined || this.#isExempt(address)) return () => undefined
    return this.#places.take(placeOf(address))
  }

  /** Gives everything back, so holders need not do it themselves. */
  clear(): void {
    this.#places.clear()
  }
}
