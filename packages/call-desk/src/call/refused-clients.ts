import type { Clock } from '@heyline/kit/clock'
import { RecentMap } from '@heyline/kit/recent-map'
import type { ClientAddress } from './client-address.js'

/** After so many refusals, each less than a minute after the one before, one is looked at once a second. */
export interface LookedAt {
  address: number
  network: number
}

const LOOK_AGAIN_MS = 1_000
const APART_MS = 60_000
/** So many addresses, and networks, are remembered: those that were refused last. */
const MOST = 10_000

interface Refused {
  times: number
  at: number
}

/**
 * Addresses and networks that ask on although they are refused each time for what they have had. Each asks the database once a second then, so that their flood holds
 * up no other caller at the gate.
 */
export class RefusedClients {
  readonly #clock: Clock
  readonly #lookedAt: LookedAt
  readonly #addresses = new RecentMap<string, Refused>(MOST)
  readonly #networks = new RecentMap<string, Refused>(MOST)

  constructor(clock: Clock, lookedAt: LookedAt) {
    this.#clock = clock
    this.#lookedAt = lookedAt
  }

  /** Whether this client is refused without a look. */
  has(client: ClientAddress | undefined): boolean {
    if (!client) return false
    return (
      this.#isFlood(this.#addresses.get(client.address), this.#lookedAt.address) ||
      this.#isFlood(this.#networks.get(client.network), this.#lookedAt.network)
    )
  }

  /** It was refused for what its address, or its network, has had. */
  add(client: ClientAddress | undefined, whose: 'address' | 'network'): void {
    if (!client) return
    if (whose === 'address') this.#add(this.#addresses, client.address)
    else this.#add(this.#networks, client.network)
  }

  /** It was not refused: the counts begin again. */
  remove(client: ClientAddress | undefined): void {
    if (!client) return
    this.#addresses.delete(client.address)
    this.#networks.delete(client.network)
  }

  #isFlood(refused: Refused | undefined, lookedAt: number): boolean {
    if (!refused || refused.times < lookedAt) return false
    return this.#clock.monotonic() - refused.at < LOOK_AGAIN_MS
  }

  #add(clients: RecentMap<string, Refused>, name: string): void {
    const at = this.#clock.monotonic()
    const before = clients.get(name)
    const isFlood = before !== undefined && at - before.at < APART_MS
    clients.set(name, { times: isFlood ? before.times + 1 : 1, at })
  }
}
