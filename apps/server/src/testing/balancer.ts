import { once } from 'node:events'
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'

export interface BalancerOptions {
  /** Picks the server, 0 to below 1. Without it each has its turn. */
  random?: () => number
  /** How often a WebSocket is tried again, at whichever server is picked then, where one refuses the connection. None: a test sees each failure. */
  retries?: number
  /** Whether each request comes from an address of its own, as its `X-Forwarded-For` says. Otherwise it says what the client has said. */
  isEachFromElsewhere?: boolean
}

/**
 * One address for several servers. Each request and each WebSocket goes to one of them, and what is open stays where it is. Without a server
 * a request is answered with 503, and a WebSocket is cut.
 */
export class Balancer {
  readonly url: string
  /** Where the next request goes; may change at any time (see `HealthChecks`). */
  servers: readonly string[] = []
  readonly #http: Server
  readonly #options: BalancerOptions
  /** The clients' sides of the WebSockets. */
  readonly #open = new Set<Duplex>()
  #requests = 0

  private constructor(http: Server, options: BalancerOptions) {
    this.#http = http
    this.#options = options
    this.url = `http://localhost:${(http.address() as AddressInfo).port}`
    http.on('request', (incoming, answer) => this.#serve(incoming, answer))
    http.on('upgrade', (incoming, near: Duplex, head: Buffer) => {
      this.#open.add(near)
      near.on('error', () => near.destroy())
      near.once('close', () => this.#open.delete(near))
      this.#tunnel(incoming, near, head, options.retries ?? 0)
    })
  }

  static async start(options: BalancerOptions = {}): Promise<Balancer> {
    const http = createServer()
    http.listen(0, 'localhost')
    await once(http, 'listening')
    return new Balancer(http, options)
  }

  async stop(): Promise<void> {
    for (const near of this.#open) near.destroy()
    this.#http.closeAllConnections()
    this.#http.close()
    await once(this.#http, 'close')
  }

  /** The same request to one of the servers, over a connection of its own. */
  #pass({ method, headers, url = '/' }: IncomingMessage): ClientRequest | undefined {
    const { random, isEachFromElsewhere } = this.#options
    const { length } = this.servers
    this.#requests += 1
    const n = this.#requests
    const server = this.servers[random ? Math.floor(random() * length) : n % length]
    if (server === undefined) return undefined
    const elsewhere = { 'x-forwarded-for': `10.${(n >> 16) % 256}.${(n >> 8) % 256}.${n % 256}` }
    return request(new URL(url, server), {
      method,
      headers: { ...headers, ...(isEachFromElsewhere && elsewhere) },
      agent: false,
    })
  }

  #serve(incoming: IncomingMessage, answer: ServerResponse): void {
    const passed = this.#pass(incoming)
    if (!passed) {
      answer.writeHead(503).end()
      return
    }
    passed.on('response', (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers)
      // A stream may have nothing to say yet.
      answer.flushHeaders()
      pipeline(given, answer, () => {})
    })
    passed.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()))
    answer.once('close', () => passed.destroy())
    incoming.pipe(passed)
  }

  #tunnel(incoming: IncomingMessage, near: Duplex, head: Buffer, retries: number): void {
    const passed = this.#pass(incoming)
    if (!passed) {
      near.destroy()
      return
    }
    const leave = () => passed.destroy()
    near.once('close', leave)
    passed.on('error', (error: NodeJS.ErrnoException) => {
      near.off('close', leave)
      if (error.code !== 'ECONNREFUSED' || retries === 0) near.destroy()
      else if (!near.destroyed) this.#tunnel(incoming, near, head, retries - 1)
    })
    passed.on('response', (given) => {
      given.resume()
      near.end(`HTTP/1.1 ${given.statusCode} ${given.statusMessage}\r\nconnection: close\r\n\r\n`)
    })
    passed.on('upgrade', (given, far, first) => {
      const lines = Object.entries(given.headers).map(([name, value]) => `${name}: ${value}\r\n`)
      near.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`)
      far.on('error', () => near.destroy()).once('close', () => near.destroy())
      near.once('close', () => far.destroy())
      near.write(first)
      far.write(head)
      near.pipe(far).pipe(near)
    })
    passed.end()
  }
}
