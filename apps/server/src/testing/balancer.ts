import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { Loop } from '@heyline/kit/loop'

/** Between two questions to each server, in milliseconds. */
const ASKS_MS = 500

/**
 * A balancer as docs/instances.md wants it: it asks `/-/health`, sends each request to one of the servers that are ready, picked at random,
 * and a WebSocket too. What is open stays where it is. It tries nothing twice, so that a test sees each failure.
 */
export class Balancer {
  readonly url: string
  readonly #http: Server
  readonly #random: () => number
  /** Whether each server is ready, by its address. */
  readonly #servers = new Map<string, boolean>()
  readonly #open = new Set<Duplex>()
  readonly #loop: Loop
  #clients = 0

  private constructor(http: Server, random: () => number) {
    this.#http = http
    this.#random = random
    this.url = `http://localhost:${(http.address() as AddressInfo).port}`
    this.#loop = new Loop({ everyMs: ASKS_MS, run: () => this.#askAll(), onError: () => {} })
    http.on('request', (incoming, answer) => {
      const passed = this.#pass(incoming)
      passed?.on('response', (given) => {
        answer.writeHead(given.statusCode ?? 502, given.headers)
        given.pipe(answer)
      })
      if (!passed) answer.writeHead(503).end()
      passed?.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()))
      if (passed) incoming.pipe(passed)
    })
    http.on('upgrade', (incoming, near, head) => this.#tunnel(incoming, near, head))
    this.#loop.start()
  }

  static async start(random: () => number): Promise<Balancer> {
    const http = createServer({ keepAlive: false })
    http.listen(0, 'localhost')
    await once(http, 'listening')
    return new Balancer(http, random)
  }

  /** Adds a server; resolves once it is ready. */
  async add(url: string): Promise<void> {
    this.#servers.set(url, false)
    while (!this.#servers.get(url)) {
      await this.#askAll()
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  remove(url: string): void {
    this.#servers.delete(url)
  }

  async stop(): Promise<void> {
    await this.#loop.close()
    for (const socket of this.#open) socket.destroy()
    this.#http.closeAllConnections()
    this.#http.close()
    await once(this.#http, 'close')
  }

  async #askAll(): Promise<void> {
    await Promise.all(
      [...this.#servers.keys()].map(async (url) => {
        const isReady = await fetch(`${url}/-/health`).then(
          async (answer) => {
            await answer.arrayBuffer()
            return answer.ok
          },
          () => false,
        )
        if (this.#servers.has(url)) this.#servers.set(url, isReady)
      }),
    )
  }

  /** The same request to a server that is ready, from a client with an address of its own. */
  #pass({ method, headers, url = '/' }: IncomingMessage) {
    const ready = [...this.#servers].flatMap(([server, isReady]) => (isReady ? server : []))
    const server = ready[Math.floor(this.#random() * ready.length)]
    if (server === undefined) return undefined
    this.#clients += 1
    const forwarded = `10.${(this.#clients >> 16) % 256}.${(this.#clients >> 8) % 256}.${this.#clients % 256}`
    return request(new URL(url, server), {
      method,
      headers: { ...headers, 'x-forwarded-for': forwarded },
      agent: false,
    })
  }

  #tunnel(incoming: IncomingMessage, near: Duplex, head: Buffer): void {
    const passed = this.#pass(incoming)
    near.on('error', () => passed?.destroy())
    if (!passed) {
      near.destroy()
      return
    }
    passed.on('error', () => near.destroy())
    passed.on('response', (given) => {
      near.end(`HTTP/1.1 ${given.statusCode} ${given.statusMessage}\r\nconnection: close\r\n\r\n`)
    })
    passed.on('upgrade', (given, far, first) => {
      const lines = Object.entries(given.headers).map(([name, value]) => `${name}: ${value}\r\n`)
      near.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`)
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#open.add(socket)
        socket.on('error', () => other.destroy())
        socket.once('close', () => {
          this.#open.delete(socket)
          other.destroy()
        })
      }
      near.write(first)
      far.write(head)
      near.pipe(far).pipe(near)
    })
    passed.end()
  }
}
