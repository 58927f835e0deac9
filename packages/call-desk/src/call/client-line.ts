import { FairLine } from '@heyline/kit/fair-line'
import { type ClientAddress, NETWORKS_OF_ANYBODY } from './client-address.js'
import { REQUESTS_IN_LINE } from './client-places.js'

export interface ClientLineOptions {
  /** How many are let through at once, of all. */
  atOnce: number
  /** How many networks may wait besides, each with as many requests as one may have in line. */
  waiting: number
  /** Longest that one waits for his address, then for his network, then for the others, in milliseconds each. */
  longestMs: number
}

/** Lets so many requests through at once, of each network in turn, and in each network of each address in turn. */
export class ClientLine {
  readonly #line: FairLine
  #nobodys = 0

  constructor({ atOnce, waiting, longestMs }: ClientLineOptions) {
    const { address, network } = REQUESTS_IN_LINE
    const most = { ofAddress: address, ofNetwork: network, networks: waiting }
    this.#line = new FairLine({ atOnce, waiting: most, longestMs })
  }

  /**
   * Runs the work when its turn has come, and tells what became of it. Work for no client, and for one that nobody can tell apart, waits like
   * a network of its own. Rejects with a `NoTurnError` when it was not begun.
   */
  async run<Result>(client: ClientAddress | undefined, work: () => Promise<Result>): Promise<Result> {
    return await this.#line.run(this.#placeOf(client), work)
  }

  #placeOf(client: ClientAddress | undefined): ClientAddress {
    if (client && !NETWORKS_OF_ANYBODY.includes(client.network)) return client
    this.#nobodys += 1
    const own = `nobody ${this.#nobodys}`
    return { address: own, network: own }
  }
}
