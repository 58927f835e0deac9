import type { RemoteInfo, Socket } from 'node:dgram'
import { bindSocket } from './bind-socket.js'
import type { SipFaults } from './sip-faults.js'
import type { Peer } from './sip-socket.js'

/** The first and the last port of a range. */
export interface PortRange {
  from: number
  to: number
}

/** Most ports that are tried for one call. */
const TRIES = 50

/** A UDP port for the audio of one call. */
export class RtpPort {
  readonly port: number
  readonly #socket: Socket
  #onPacket: ((packet: Buffer, from: Peer) => void) | undefined
  #fail = () => this.close()
  #isClosed = false

  private constructor(socket: Socket, faults: SipFaults) {
    this.#socket = socket
    this.port = socket.address().port
    const receive = (packet: Buffer, { address, port }: RemoteInfo) => {
      // Nothing can be sent back to port 0.
      if (port !== 0) this.#onPacket?.(packet, { address, port })
    }
    socket.on(
      'message',
      faults.guard(receive, () => this.#fail()),
    )
    socket.on('error', (error) => faults.warn({ err: error }, 'rtp port failed'))
  }

  /** Takes an even port of the range, by chance. Rejects when none of those that were tried is free. */
  static async open(host: string, range: PortRange, faults: SipFaults): Promise<RtpPort> {
    const first = range.from + (range.from % 2)
    const count = Math.floor((range.to - first) / 2) + 1
    const start = Math.floor(Math.random() * count)
    let failure: unknown
    for (let n = 0; n < Math.min(count, TRIES); n++) {
      try {
        return new RtpPort(await bindSocket(host, first + 2 * ((start + n) % count)), faults)
      } catch (error) {
        failure = error
      }
    }
    throw new Error(`No port from ${range.from} to ${range.to} is free for the audio.`, { cause: failure })
  }

  /** Packets that come before are dropped. `fail` ends the call where one cannot be handled. */
  listen(onPacket: (packet: Buffer, from: Peer) => void, fail: () => void): void {
    this.#onPacket = onPacket
    this.#fail = fail
  }

  /** A packet that can't be sent is lost, as on the network. */
  send(packet: Buffer, { address, port }: Peer): void {
    if (this.#isClosed) return
    try {
      this.#socket.send(packet, port, address, () => {})
    } catch {
      // As of a port that is none.
    }
  }

  /** Idempotent. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#onPacket = undefined
    this.#socket.close()
  }
}
