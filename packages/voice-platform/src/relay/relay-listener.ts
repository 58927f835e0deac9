import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { Clock } from '@heyline/kit/clock'
import { checkPeer } from './handshake.js'

/** Most connections at once, and of these most that have not proven themselves: of all, and of one address. */
const MOST_CONNECTIONS = 4_000
const MOST_UNPROVEN = { ofAll: 100, ofAddress: 20 }
/** How long one may take to prove itself, and then to ask for something, in milliseconds each. */
const PROOF_MS = 3_000
const REQUEST_MS = 5_000

export interface RelayListenerOptions {
  /** The address to listen on, and its port; 0 takes a free one. */
  host: string
  port: number
  /** This process (a UUID). */
  processId: string
  /** All processes of the installation have it. */
  key: Uint8Array
  clock: Clock
}

/** Where the other processes of the installation reach this one. Whoever has proven itself speaks HTTP to `http`; nobody else is answered. */
export class RelayListener {
  /** Gets the requests and upgrades of other processes. */
  readonly http: HttpServer
  readonly #options: RelayListenerOptions
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /** Begins with the one that has taken the longest. */
  readonly #unproven = new Set<Socket>()

  private constructor(options: RelayListenerOptions) {
    this.#options = options
    this.http = createHttpServer({ requireHostHeader: false })
    this.http.on('upgrade', (_request, stream: Socket) => stream.setTimeout(0))
    this.#server = createServer({ noDelay: true, keepAlive: true }, (socket) => void this.#take(socket))
    this.#server.maxConnections = MOST_CONNECTIONS
  }

  /** Rejects where the address cannot be listened on. */
  static async open(options: RelayListenerOptions): Promise<RelayListener> {
    const listener = new RelayListener(options)
    await new Promise<void>((resolve, reject) => {
      listener.#server.once('error', reject)
      listener.#server.listen(options.port, options.host, resolve)
    })
    return listener
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Takes no more, and cuts what is open. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  async #take(socket: Socket): Promise<void> {
    const { processId, key, clock } = this.#options
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    socket.on('error', () => undefined)
    this.#makeRoom(socket)
    this.#unproven.add(socket)
    const stop = clock.after(PROOF_MS, () => socket.destroy())
    try {
      const { welcome } = await checkPeer(socket, processId, key)
      socket.setTimeout(REQUEST_MS, () => socket.destroy())
      this.http.emit('connection', socket)
      welcome()
    } catch {
      socket.destroy()
    } finally {
      stop()
      this.#unproven.delete(socket)
    }
  }

  /**
   * A process proves itself within milliseconds, so whoever has taken the longest goes: the first of the same address where that has many, else
   * the first of all. Strangers who say nothing keep no process out.
   */
  #makeRoom({ remoteAddress }: Socket): void {
    const near = [...this.#unproven].filter((other) => other.remoteAddress === remoteAddress)
    const isGreedy = near.length >= MOST_UNPROVEN.ofAddress
    if (!isGreedy && this.#unproven.size < MOST_UNPROVEN.ofAll) return
    const [oldest] = isGreedy ? near : this.#unproven
    oldest?.destroy()
    if (oldest) this.#unproven.delete(oldest)
  }
}
