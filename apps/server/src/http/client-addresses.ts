import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'
import type { Logger } from 'pino'
import type { Asker } from './asker.js'
import { forwardedAddress, socketAddress } from './client.js'
import type { IsForeign } from './foreign-pages.js'

export interface ClientAddressesOptions {
  /** How many proxies stand in front; undefined where nobody has said. */
  trustProxy: number | undefined
  logger: Logger
  /** Whether a page of another site has it sent; none where it is left out. */
  isForeign?: IsForeign
}

/** Addresses of this machine and of private networks, where proxies stand. IPv4 ones are found in IPv6 clothes too. */
const NEAR = new BlockList()
for (const [network, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
] as const)
  NEAR.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  NEAR.addSubnet(network, bits, 'ipv6')

/** Longest part of what a proxy says that is looked at, in characters: two addresses fit. */
const TOLD_MOST = 100

/**
 * Who sent which request. Kept beside the requests, not in a header of theirs, which anybody could send; a request that is handed on
 * as it came is still known.
 */
export class ClientAddresses {
  readonly #addresses = new WeakMap<Request, string>()
  readonly #foreign = new WeakSet<Request>()
  readonly #trustProxy: number | undefined
  readonly #logger: Logger
  readonly #isForeignPage: IsForeign
  #warned = false

  constructor({ trustProxy, logger, isForeign = () => false }: ClientAddressesOptions) {
    this.#trustProxy = trustProxy
    this.#logger = logger
    this.#isForeignPage = isForeign
  }

  /** Keeps the sender of a request, and whether a foreign page has it sent. */
  keep(request: Request, incoming: IncomingMessage) {
    if (this.#trustProxy === undefined && 'x-forwarded-for' in incoming.headers) this.#warn()
    const address = forwardedAddress(incoming, this.#trustProxy ?? 0)
    if (address) this.#addresses.set(request, address)
    if (this.#isForeignPage(incoming)) this.#foreign.add(request)
  }

  /** Keeps whom a request of our own is sent for. */
  keepAs(request: Request, address: string | undefined) {
    if (address) this.#addresses.set(request, address)
  }

  /** The sender's address; undefined for one that was gone before its connection was accepted. */
  of(request: Request): string | undefined {
    return this.#addresses.get(request)
  }

  /** Whether a page of another site has a browser send it. */
  isForeign(request: Request): boolean {
    return this.#foreign.has(request)
  }

  /** Keeps the sender of a request, and tells whose it is. Undefined as for `of`. */
  asker(request: Request, incoming: IncomingMessage): Asker | undefined {
    this.keep(request, incoming)
    const address = this.of(request)
    if (address === undefined) return undefined
    return { address, told: this.#toldOf(incoming), isForeign: this.isForeign(request) }
  }

  /**
   * What a proxy that nobody has told us of says of the sender; undefined where there is none. All visitors seem to have the address of such
   * a proxy. Only a near address is taken for a proxy's, but whoever reaches it may have written this himself.
   */
  #toldOf(incoming: IncomingMessage): string | undefined {
    const told = incoming.headers['x-forwarded-for']
    if (this.#trustProxy !== undefined || told === undefined) return undefined
    const address = socketAddress(incoming.socket) ?? ''
    const isNear = NEAR.check(address.replace(/%.*$/, ''), isIPv6(address) ? 'ipv6' : 'ipv4')
    // A proxy adds what it knows on the right.
    return isNear ? String(told).slice(-TOLD_MOST) : undefined
  }

  #warn() {
    if (this.#warned) return
    this.#warned = true
    this.#logger.warn(
      'requests come through a proxy, and TRUST_PROXY is not set: all visitors share the limits of its address; set TRUST_PROXY to the number of proxies in front',
    )
  }
}
