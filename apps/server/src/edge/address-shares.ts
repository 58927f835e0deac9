import { readClientAddress } from '@heyline/call-desk'
import { isLoopback } from '../settings/loopback.js'

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
  readonly #most: number
  readonly #isExempt: (address: string) => boolean
  readonly #counts = new Map<string, number>()

  constructor({ most, isExempt = isLoopback }: AddressSharesOptions) {
    this.#most = most
    this.#isExempt = isExempt
  }

  /** Takes one. Returns a function that gives it back, once; undefined if this address has all that it may have. */
  take(address: string | undefined): (() => void) | undefined {
    if (address === undefined || this.#isExempt(address)) return () => undefined
    const client = readClientAddress(address)
    const key = client?.address ?? address
    const network = client?.network ?? address
    if (this.#count(key) >= this.#most || this.#count(network) >= NETWORK_FACTOR * this.#most)
      return undefined
    // Both names have their own form, so they share a map.
    const keys = key === network ? [key] : [key, network]
    for (const each of keys) this.#counts.set(each, this.#count(each) + 1)
    let isHeld = true
    return () => {
      if (isHeld) for (const each of keys) this.#giveBack(each)
      isHeld = false
    }
  }

  /** Gives everything back, so holders need not do it themselves. */
  clear(): void {
    this.#counts.clear()
  }

  #count(key: string): number {
    return this.#counts.get(key) ?? 0
  }

  #giveBack(key: string): void {
    const count = this.#count(key) - 1
    if (count > 0) this.#counts.set(key, count)
    else this.#counts.delete(key)
  }
}
