import { type Leave, WaitingLine, WaitingLines } from './waiting-line.js'

/** A client, and the network that it shares with others. */
export interface Place {
  address: string
  network: string
}

/** Where everybody is from whose address nobody tells. */
export const SOMEWHERE: Place = { address: '', network: '' }

export interface FairLineOptions {
  /** How many are let through at once, of everybody. */
  atOnce: number
  /** How many may wait besides the one whose turn is next: of one address, addresses of one network, and networks. */
  waiting: { ofAddress: number; ofNetwork: number; networks: number }
  /** Longest that one waits for his address, then for his network, then for the others, in milliseconds each. */
  longestMs: number
}

/**
 * Lets so many through at once, of each network in turn, and in each network of each address in turn. However many come from one place,
 * somebody from elsewhere waits for one of them.
 *
 * @example
 * const line = new FairLine({ atOnce: 1, waiting: { ofAddress: 5, ofNetwork: 10, networks: 100 }, longestMs: 5_000 })
 * const answer = await line.run({ address: '192.0.2.1', network: '192.0.2.0/24' }, () => ask())
 */
export class FairLine {
  // Each address has at most one in its network's line, and each network one in the line of all: first come, first served is in turn.
  readonly #addresses: WaitingLines
  readonly #networks: WaitingLines
  readonly #all: WaitingLine

  constructor({ atOnce, waiting, longestMs }: FairLineOptions) {
    this.#addresses = new WaitingLines({ atOnce: 1, waiting: waiting.ofAddress, longestMs })
    this.#networks = new WaitingLines({ atOnce: 1, waiting: waiting.ofNetwork, longestMs })
    this.#all = new WaitingLine({ atOnce, waiting: waiting.networks, longestMs })
  }

  /** Runs the work when its turn has come, and tells what became of it. Rejects with a `NoTurnError` when it was not begun. */
  async run<Result>({ address, network }: Place, work: () => Promise<Result>): Promise<Result> {
    return await this.#addresses.run(address, () => this.#networks.run(network, () => this.#all.run(work)))
  }

  /**
   * Resolves when the turn has come, with what ends it. Others of this address and network may come in meanwhile while there is room, each behind
   * one of every other network that waits. Rejects with a `NoTurnError`.
   */
  async enter({ address, network }: Place): Promise<Leave> {
    return await this.#addresses.run(address, () => this.#networks.run(network, () => this.#all.enter()))
  }
}
