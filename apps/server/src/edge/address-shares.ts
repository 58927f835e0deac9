import { readClientAddress } from '@heyline/call-desk'
import { isLoopback } from '../settings/loopback.js'

export interface AddressSharesOptions {
  /** How much one address may have at once. */
  most: number
  /** Addresses that are not counted. By default this machine, because a proxy or a tunnel on it may carry everybody's connections. */
  isExempt?: (address: string) => boolean
}

/** How much of something each address has now: an IPv4 address, or the /64 of an IPv6 one. */
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
    const key = readClientAddress(address)?.address ?? address
    const count = this.#counts.get(key) ?? 0
    if (count >= this.#most) return undefined
    this.#counts.set(key, count + 1)
    let isHeld = true
    return () => {
      if (isHeld) this.#giveBack(key)
      isHeld = false
    }
  }

  /** Gives everything back, so holders need not do it themselves. */
  clear(): void {
    this.#counts.clear()
  }

  #giveBack(key: string): void {
    const count = (this.#counts.get(key) ?? 0) - 1
    if (count > 0) this.#counts.set(key, count)
    else this.#counts.delete(key)
  }
}
