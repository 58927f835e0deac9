import type { Clock } from '@heyline/kit/clock'
import { RecentMap } from '@heyline/kit/recent-map'
import { STORED_REFUSALS } from './web-facts.js'

/** An address that is refused again and again is looked at once in this time, in ms. */
const LOOK_AGAIN_MS = 1_000
/** Refusals that are further apart are no flood, in ms. */
const APART_MS = 60_000
/** So many addresses are remembered: those that were refused last. */
const MOST = 10_000

interface Refused {
  times: number
  at: number
}

/**
 * Addresses that ask on although they have had all they may. Once as many refusals are stored as are kept, an address asks the database once
 * a second, so that its flood holds up no other caller at the gate.
 */
export class RefusedClients {
  readonly #clock: Clock
  readonly #refused = new RecentMap<string, Refused>(MOST)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether this address is refused without a look. */
  has(address: string | undefined): boolean {
    const refused = address === undefined ? undefined : this.#refused.get(address)
    if (!refused || refused.times < STORED_REFUSALS.address) return false
    return this.#clock.monotonic() - refused.at < LOOK_AGAIN_MS
  }

  /** It was refused for what its address has had. */
  add(address: string | undefined): void {
    if (address === undefined) return
    const at = this.#clock.monotonic()
    const before = this.#refused.get(address)
    const isFlood = before !== undefined && at - before.at < APART_MS
    this.#refused.set(address, { times: isFlood ? before.times + 1 : 1, at })
  }

  /** It was not refused for what its address has had: its count begins again. */
  remove(address: string | undefined): void {
    if (address !== undefined) this.#refused.delete(address)
  }
}
