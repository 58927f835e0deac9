import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Connection } from './connection.js'
import { FullHouse } from './full-house.js'

/** This part of all connections is left to requests that a proxy asks of its own, such as health checks. */
const KEPT = 1 / 40

/** A request that a proxy has passed on, or the WebSocket that it became. */
export interface ForwardedRequest {
  connection: Connection
  request: IncomingMessage
  /** Undefined for a WebSocket. */
  answer: ServerResponse | undefined
}

/**
 * The requests under way behind a proxy, by their clients' networks. Each has a connection of the proxy to itself, so whoever has very many
 * under way would take the connections of all.
 */
export class ForwardedRequests {
  readonly #house: FullHouse<ForwardedRequest>
  readonly #networks = new WeakMap<IncomingMessage, string>()

  /** `most`: connections of all. */
  constructor(most: number) {
    this.#house = new FullHouse({
      most,
      kept: Math.ceil(most * KEPT),
      // Nobody has begun to work for it.
      isIdle: ({ connection, request }) => !connection.upgraded && !request.complete,
      mayGo: ({ connection }) => !connection.upgraded,
    })
  }

  /** Undefined: its network has all that it may have now. `leaving` has to go for it; `leave` is idempotent. */
  enter(
    network: string,
    entering: ForwardedRequest,
  ): { leaving: ForwardedRequest | undefined; leave: () => void } | undefined {
    if (!this.#house.admits(network)) return undefined
    this.#networks.set(entering.request, network)
    const leaving = this.#house.enter(network, entering)
    return { leaving, leave: () => this.#house.leave(network, entering) }
  }

  /** Whether its network has more than its share when nearly all connections are taken. */
  isGreedy(request: IncomingMessage): boolean {
    const network = this.#networks.get(request)
    return network !== undefined && this.#house.isGreedy(network)
  }
}
