import type { ClientAddress } from '../call/client-address.js'
import { type Leave, Places } from '../run/places.js'

/**
 * Requests of one address, and of one network, that are looked at or wait in line at a time. The line has room for 500, that of
 * browser calls for 100: one client cannot fill it for all others, also one that owns a /48.
 */
const MOST_OF_ADDRESS = 3
const MOST_OF_NETWORK = 24

/** The places before the gate. */
export class ClientPlaces {
  readonly #ofAddress = new Places(MOST_OF_ADDRESS)
  readonly #ofNetwork = new Places(MOST_OF_NETWORK)

  /** A place until the request is answered; undefined where the client has all it may. Without addresses nobody is counted. */
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
}
