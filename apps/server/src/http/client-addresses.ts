import type { IncomingMessage } from 'node:http'
import type { Logger } from 'pino'
import { forwardedAddress } from './client.js'

export interface ClientAddressesOptions {
  /** How many proxies stand in front; undefined where nobody has said. */
  trustProxy: number | undefined
  logger: Logger
}

/**
 * Who sent which request. Kept beside the requests, not in a header of theirs, which anybody could send; a request that is handed on
 * as it came is still known.
 */
export class ClientAddresses {
  readonly #addresses = new WeakMap<Request, string>()
  readonly #trustProxy: number | undefined
  readonly #logger: Logger
  #warned = false

  constructor({ trustProxy, logger }: ClientAddressesOptions) {
    this.#trustProxy = trustProxy
    this.#logger = logger
  }

  /** Keeps the sender of a request. */
  keep(request: Request, incoming: IncomingMessage) {
    if (this.#trustProxy === undefined && 'x-forwarded-for' in incoming.headers) this.#warn()
    const address = forwardedAddress(incoming, this.#trustProxy ?? 0)
    if (address) this.#addresses.set(request, address)
  }

  /** The sender's address; undefined for one that was gone before its connection was accepted. */
  of(request: Request): string | undefined {
    return this.#addresses.get(request)
  }

  #warn() {
    if (this.#warned) return
    this.#warned = true
    this.#logger.warn(
      'requests come through a proxy, and TRUST_PROXY is not set: all visitors share the limits of its address; set TRUST_PROXY to the number of proxies in front',
    )
  }
}
