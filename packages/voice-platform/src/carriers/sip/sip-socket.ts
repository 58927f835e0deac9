import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { isIP } from 'node:net'
import { HostNames } from '@heyline/kit/host-names'
import type { Logger } from 'pino'
import { bindSocket } from './bind-socket.js'
import type { SipFaults } from './sip-faults.js'
import { SIP_PORT } from './sip-uri.js'

/** An address of UDP. */
export interface Peer {
  /** IPv4 or IPv6. */
  address: string
  port: number
}

export interface SipSocketOptions {
  /** An IP address of this machine; `0.0.0.0` or `::` for all of them. */
  host: string
  /** 0: any that is free. */
  port: number
  logger: Logger
  faults: SipFaults
  onDatagram(datagram: Buffer, from: Peer): void
}

/** The UDP socket of our signalling. */
export class SipSocket {
  readonly #options: SipSocketOptions
  #socket: Socket | undefined

  constructor(options: SipSocketOptions) {
    this.#options = options
  }

  get isOpen(): boolean {
    return this.#socket !== undefined
  }

  /** Rejects where the address is taken, or not of this machine. May be asked again then, and after `close`. */
  async open(): Promise<void> {
    const { host, port, faults, onDatagram } = this.#options
    const socket = await bindSocket(host, port)
    const receive = (datagram: Buffer, { address, port }: RemoteInfo) => {
      // Nothing can be answered to port 0. Whoever sends from there has made the datagram up.
      if (port !== 0) onDatagram(datagram, { address, port })
    }
    // One datagram that can't be handled is dropped. The others are not.
    socket.on('message', faults.guard(receive))
    socket.on('error', (error) => {
      if (this.#socket === socket) faults.warn({ err: error }, 'sip socket failed')
    })
    this.#socket = socket
  }

  /** Throws while it is not open. */
  get port(): number {
    if (!this.#socket) throw new Error('The SIP socket is not open.')
    return this.#socket.address().port
  }

  /** A datagram that can't be sent counts as lost: what needs an answer is sent again. */
  send(datagram: Buffer, { address, port }: Peer): void {
    const lost = (error: unknown) => {
      if (error) this.#options.logger.debug({ err: error }, 'sip message not sent')
    }
    try {
      this.#socket?.send(datagram, port, address, lost)
    } catch (error) {
      lost(error)
    }
  }

  /** Our address as that peer sees it, without translation of addresses. */
  async addressFor(peer: Peer): Promise<string> {
    const { host } = this.#options
    return host === '0.0.0.0' || host === '::' ? localAddressFor(peer) : host
  }

  /** Idempotent. */
  close(): void {
    this.#socket?.close()
    this.#socket = undefined
  }
}

/** One for all calls: they share lookups, and what is remembered. A phone may name any host in its `Contact`, whose name servers may stay silent. */
const hostNames = new HostNames()

/** Finds the address of a host, of the same family as this address of ours. Rejects when there is none. */
export async function resolvePeer(host: string, port: number | undefined, ownHost: string): Promise<Peer> {
  const at = { port: port ?? SIP_PORT }
  if (isIP(host) > 0) return { address: host, ...at }
  const family = familyOf(ownHost)
  const found = (await hostNames.find(host)).find((one) => one.family === family)
  if (!found) throw new Error(`${host} has no address of IPv${family}`)
  return { address: found.address, ...at }
}

const familyOf = (host: string): 4 | 6 => (isIP(host) === 6 ? 6 : 4)

/** Nothing is sent: to connect a UDP socket only chooses the way. */
async function localAddressFor({ address, port }: Peer): Promise<string> {
  const probe = createSocket(isIP(address) === 6 ? 'udp6' : 'udp4')
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject)
      probe.connect(port, address, () => resolve())
    })
    return probe.address().address
  } finally {
    probe.close()
  }
}
