import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Duplex } from 'node:stream'

/** How often a connection that a server refuses is tried at another, as balancers do. */
const TRIES = 5

/** A balancer without a memory: each request and each WebSocket goes to one of the servers, picked at random. */
export class RandomProxy {
  /** Where the requests go; may change at any time. */
  targets: string[]
  readonly url: string
  readonly #server: Server
  readonly #random: () => number
  readonly #streams = new Set<Duplex>()

  private constructor(server: Server, targets: string[], random: () => number) {
    this.#server = server
    this.#random = random
    this.targets = targets
    this.url = `http://localhost:${(server.address() as AddressInfo).port}`
  }

  static async start(targets: string[], random: () => number): Promise<RandomProxy> {
    const server = createServer((incoming, answer) => {
      const { method, headers, url = '/' } = incoming
      const passed = request(new URL(url, proxy.#pick()), { method, headers }, (given) => {
        answer.writeHead(given.statusCode ?? 502, given.headers)
        given.pipe(answer)
      })
      passed.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()))
      incoming.pipe(passed)
    })
    server.on('upgrade', (incoming, stream: Duplex, head: Buffer) =>
      proxy.#upgrade(incoming, stream, head, TRIES),
    )
    server.listen(0, 'localhost')
    await once(server, 'listening')
    const proxy = new RandomProxy(server, targets, random)
    return proxy
  }

  async stop(): Promise<void> {
    for (const stream of this.#streams) stream.destroy()
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #pick(): string {
    return this.targets[Math.floor(this.#random() * this.targets.length)] ?? ''
  }

  #upgrade(incoming: IncomingMessage, stream: Duplex, head: Buffer, tries: number): void {
    const { method, url, rawHeaders } = incoming
    this.#streams.add(stream)
    const { hostname, port } = new URL(this.#pick())
    const server = connect({ host: hostname, port: Number(port) })
    const cut = () => server.destroy()
    stream.on('error', cut).on('close', cut)
    let isConnected = false
    server.on('connect', () => {
      isConnected = true
      const lines = rawHeaders.flatMap((name, index) =>
        index % 2 ? [] : [`${name}: ${rawHeaders[index + 1]}`],
      )
      server.write(`${[`${method} ${url} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`)
      server.write(head)
      stream.pipe(server).pipe(stream)
    })
    server.on('error', () => undefined)
    server.on('close', () => {
      stream.off('error', cut).off('close', cut)
      if (isConnected || tries === 0) {
        this.#streams.delete(stream)
        stream.destroy()
      } else this.#upgrade(incoming, stream, head, tries - 1)
    })
  }
}
