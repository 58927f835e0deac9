import { type Leave, Places } from '../run/places.js'
import type { ClientAddress } from './client-address.js'

/** So many of something for each address, and for each network, at a time. */
export class ClientPlaces {
  readonly #ofAddress: Places
  readonly #ofNetwork: Places

  constructor({ address, network }: { address: number; network: number }) {
    this.#ofAddress = new Places(address)
    this.#ofNetwork = new Places(network)
  }

  /** A place until it is left; undefined where the client has all it may. Without an address nobody is counted. */
  take(client: ClientAddress | undefined): Leave | undefined {
    const leaveAddress = this.#ofAddress.take(client?.address)
    const leaveNetwork = leaveAddress && this.#ofNetwork.take(client?.network)
    if (leaveAddress && leaveNetwork)
      return () => {
        leaveAddress()
        leaveNetwork()
      }
    leaveAddress?.()
    return undefined
  }

  /** All places are left, so those who hold one need not say so. */
  clear(): void {
    this.#ofAddress.clear()
    this.#ofNetwork.clear()
  }
}

/**
 * Requests of one client that are looked at or wait in line at a time. The line has room for 500 networks, that of browser calls for 100: one
 * client cannot fill it for all others, also one that owns a /48.
 */
export const REQUESTS_IN_LINE = { address: 3, network: 24 }
