import { type Server as HttpServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '@heyline/kit/clock'
import { type Holder, reachProcess } from './reach-process.js'
import { RelayListener, type RelayListenerOptions } from './relay-listener.js'

/** Largest body that one process sends another, in bytes: a control message is smaller. */
const MOST_BODY_BYTES = 1_100_000
/** How long an answer to a request may take, in milliseconds. */
const ANSWER_MS = 5_000

export interface RelayOptions extends RelayListenerOptions {
  /** Where the others reach this process: `HOST:PORT`. Its own host and port by default. */
  address?: string
}

/** This process and the others of the installation, as they reach each other. */
export class Relay {
  readonly processId: string
  /** Where the others reach this process: `HOST:PORT`. */
  readonly address: string
  readonly #listener: RelayListener
  readonly #key: Uint8Array
  readonly #clock: Clock
  #take: (path: string, body: string) => boolean = () => false

  private constructor(listener: RelayListener, options: RelayOptions) {
    const { host, processId, key, clock } = options
    this.processId = processId
    this.address = options.address ?? `${host.includes(':') ? `[${host}]` : host}:${listener.port}`
    this.#listener = listener
    this.#key = key
    this.#clock = clock
    listener.http.on('request', (asked, answer) => void this.#answer(asked, answer))
  }

  /** Rejects where the address cannot be listened on. */
  static async open(options: RelayOptions): Promise<Relay> {
    return new Relay(await RelayListener.open(options), options)
  }

  /** Gets the upgrades of the clients that other processes pass on. */
  get http(): HttpServer {
    return this.#listener.http
  }

  /** What becomes of a message that another process posts: true where it was taken. */
  onPosted(take: (path: string, body: string) => boolean): void {
    this.#take = take
  }

  /** Connects with another process; the connection speaks HTTP. Rejects with a `RelayError`. */
  reach(holder: Holder): Promise<Socket> {
    return reachProcess(holder, { key: this.#key, clock: this.#clock })
  }

  /** Posts a message to another process. False where it does not take it. Rejects with a `RelayError`, or when no answer comes. */
  async post(holder: Holder, path: string, body: string): Promise<boolean> {
    const socket = await this.reach(holder)
    const stop = this.#clock.after(ANSWER_MS, () => socket.destroy())
    try {
      return await new Promise((resolve, reject) => {
        const asking = request({ method: 'POST', path, createConnection: () => socket }, (answer) => {
          answer.resume()
          resolve(answer.statusCode === 200)
        })
        asking.once('error', reject)
        asking.setHeader('content-type', 'application/json')
        asking.end(body)
      })
    } finally {
      stop()
      socket.destroy()
    }
  }

  close(): Promise<void> {
    return this.#listener.close()
  }

  async #answer(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const pieces: Buffer[] = []
    let bytes = 0
    try {
      for await (const piece of asked) {
        bytes += piece.length
        if (bytes > MOST_BODY_BYTES) break
        pieces.push(piece)
      }
      const taken =
        asked.method === 'POST' &&
        bytes <= MOST_BODY_BYTES &&
        this.#take(asked.url ?? '', Buffer.concat(pieces).toString('utf8'))
      answer.writeHead(taken ? 200 : 404, { connection: 'close' }).end()
    } catch {
      asked.destroy()
    }
  }
}
