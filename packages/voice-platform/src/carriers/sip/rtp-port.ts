import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { isIP } from 'node:net'
import type { Logger } from 'pino'
import { guarded } from '../../sockets/guarded.js'
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
  #isClosed = false

  private constructor(socket: Socket, logger: Logger) {
    this.#socket = socket
    this.port = socket.address().port
    const receive = (packet: Buffer, { address, port }: RemoteInfo) =>
      this.#onPacket?.(packet, { address, port })
    socket.on('message', guarded(receive, { logger, fail: () => this.close() }))
    socket.on('error', (error) => logger.warn({ err: error }, 'rtp port failed'))
  }

  /** Takes an even port of the range, by chance. Rejects when none of those that were tried is free. */
  static async open(host: string, range: PortRange, logger: Logger): Promise<RtpPort> {
    const first = range.from + (range.from % 2)
    const count = Math.floor((range.to - first) / 2) + 1
    const start = Math.floor(Math.random() * count)
    let failure: unknown
    for (let n = 0; n < Math.min(count, TRIES); n++) {
      try {
        return new RtpPort(await bind(host, first + 2 * ((start + n) % count)), logger)
      } catch (error) {
        failure = error
      }
    }
    throw new Error(`No port from ${range.from} to ${range.to} is free for the audio.`, { cause: failure })
  }

  /** Packets that come before are dropped. */
  listen(onPacket: (packet: Buffer, from: Peer) => void): void {
    this.#onPacket = onPacket
  }

  /** A packet that can't be sent is lost, as on the network. */
  send(packet: Buffer, { address, port }: Peer): void {
    if (!this.#isClosed) this.#socket.send(packet, port, address, () => {})
  }

  /** Idempotent. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#onPacket = undefined
    this.#socket.close()
  }
}

async function bind(host: string, port: number): Promise<Socket> {
  const socket = createSocket(isIP(host) === 6 ? 'udp6' : 'udp4')
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      socket.bind(port, host, () => {
        socket.off('error', reject)
        resolve()
      })
    })
    return socket
  } catch (error) {
    socket.close()
    throw error
  }
}
