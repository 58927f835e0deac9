import { type Server as HttpServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '@heyline/kit/clock'
import { requestOf, sendResponse } from './asked-request.js'
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
  #take: TakePosted = async () => undefined
  #give: GiveAsked | undefined

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

  /** Who takes what other processes post. */
  onPosted(take: TakePosted): void {
    this.#take = take
  }

  /** Who answers what other processes get. */
  onAsked(give: GiveAsked): void {
    this.#give = give
  }

  /** Connects with another process; the connection speaks HTTP. Rejects with a `RelayError`. */
  reach(holder: Holder): Promise<Socket> {
    return reachProcess(holder, { key: this.#key, clock: this.#clock })
  }

  /** Posts a message to another process, and resolves with its answer: undefined where it does not take it. Rejects with a `RelayError`, or when no answer comes. */
  async post(holder: Holder, path: string, body: string): Promise<string | undefined> {
    const socket = await this.reach(holder)
    const stop = this.#clock.after(ANSWER_MS, () => socket.destroy())
    try {
      return await new Promise((resolve, reject) => {
        const asking = request({ method: 'POST', path, createConnection: () => socket }, (answer) => {
          textOf(answer).then((text) => resolve(answer.statusCode === 200 ? text : undefined), reject)
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
    try {
      const { method } = asked
      if (this.#give && (method === 'GET' || method === 'HEAD'))
        return await sendResponse(await this.#give(requestOf(asked)), answer)
      const body = await textOf(asked)
      const said = asked.method === 'POST' ? await this.#take(asked.url ?? '', body) : undefined
      answer.writeHead(said === undefined ? 404 : 200, { connection: 'close' }).end(said)
    } catch {
      asked.destroy()
    }
  }
}

/** Answers what another process posts; undefined for what is not taken. */
export type TakePosted = (path: string, body: string) => Promise<string | undefined>

/** Answers what another process gets from this one. */
export type GiveAsked = (request: Request) => Promise<Response>

/** The body of a message. Rejects where it is too long. */
async function textOf(message: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of message) {
    bytes += piece.length
    if (bytes > MOST_BODY_BYTES)
      throw new Error(`A message between servers has more than ${MOST_BODY_BYTES} bytes.`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}
