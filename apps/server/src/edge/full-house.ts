/** Beyond this part of all places the house is nearly full. */
const NEARLY = 3 / 4
/** Beyond this part the last places go. */
const LAST = 7 / 8
/** What one network may have of all places then. */
const SHARE = 1 / 80

export interface FullHouseOptions<Guest> {
  /** Places of all. */
  most: number
  /** So many of them are for others, who are not counted here. By default none. */
  kept?: number
  /** Nobody waits for anything of this one's. */
  isIdle(guest: Guest): boolean
  /** It may be sent away although it is not idle. */
  mayGo(guest: Guest): boolean
}

/**
 * Who gets in when nearly all places are taken: a network that has few. For each that gets in then, the network with the most gives one up
 * that is idle, and when the last places go also one that is not. So a few networks never hold all.
 */
export class FullHouse<Guest> {
  readonly #options: FullHouseOptions<Guest>
  readonly #networks = new Map<string, Set<Guest>>()
  readonly #share: number
  #taken = 0

  constructor(options: FullHouseOptions<Guest>) {
    this.#options = options
    this.#share = Math.max(1, Math.floor(options.most * SHARE))
  }

  /** False: its network has all that it may have now, or all places are taken and nobody can go. */
  admits(network: string): boolean {
    if (!this.#isNearlyFull()) return true
    if (this.#held(network) >= this.#share) return false
    const { most, kept = 0 } = this.#options
    return kept === 0 || this.#taken < most - kept || this.#findLeaving(network) !== undefined
  }

  /** Nearly all places are taken, and this network has more than it may have now. */
  isGreedy(network: string): boolean {
    return this.#isNearlyFull() && this.#held(network) > this.#share
  }

  /** Returns who has to go for it, and has left already. */
  enter(network: string, guest: Guest): Guest | undefined {
    const leaving = this.#isNearlyFull() ? this.#findLeaving(network) : undefined
    if (leaving) this.leave(leaving.network, leaving.guest)
    const guests = this.#networks.get(network) ?? new Set()
    this.#networks.set(network, guests.add(guest))
    this.#taken += 1
    return leaving?.guest
  }

  /** Idempotent. */
  leave(network: string, guest: Guest): void {
    const guests = this.#networks.get(network)
    if (!guests?.delete(guest)) return
    this.#taken -= 1
    if (guests.size === 0) this.#networks.delete(network)
  }

  #isNearlyFull(): boolean {
    return this.#taken >= this.#options.most * NEARLY
  }

  #held(network: string): number {
    return this.#networks.get(network)?.size ?? 0
  }

  /** Of the network that has the most, the one that has been there for longest. If none of its own can go, one of the network with the next most. */
  #findLeaving(network: string): { network: string; guest: Guest } | undefined {
    const { most, isIdle, mayGo } = this.#options
    const own = this.#held(network) + 1
    const larger = [...this.#networks].filter(([, { size }]) => size > own)
    larger.sort(([, one], [, other]) => other.size - one.size)
    const pressed = this.#taken >= most * LAST ? larger.filter(([, { size }]) => size > this.#share) : []
    return first(larger, isIdle) ?? first(pressed, mayGo)
  }
}

function first<Guest>(networks: [string, Set<Guest>][], isMeant: (guest: Guest) => boolean) {
  for (const [network, guests] of networks)
    for (const guest of guests) if (isMeant(guest)) return { network, guest }
  return undefined
}
