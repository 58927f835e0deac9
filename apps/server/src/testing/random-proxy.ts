import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A balancer without a memory: each request goes to one of the servers, picked at random. */
export class RandomProxy {
  /** Where the requests go; may change at any time. */
  targets: string[]
  readonly url: string
  readonly #server: Server

  private constructor(server: Server, targets: string[]) {
    this.#server = server
    this.targets = targets
    this.url = `http://localhost:${(server.address() as AddressInfo).port}`
  }

  static async start(targets: string[], random: () => number): Promise<RandomProxy> {
    const server = createServer((incoming, answer) => {
      const { targets } = proxy
      const target = targets[Math.floor(random() * targets.length)] ?? ''
      const { method, headers, url = '/' } = incoming
      const passed = request(new URL(url, target), { method, headers }, (given) => {
        answer.writeHead(given.statusCode ?? 502, given.headers)
        given.pipe(answer)
      })
      passed.on('error', () => answer.writeHead(502).end())
      incoming.pipe(passed)
    })
    server.listen(0, 'localhost')
    await once(server, 'listening')
    const proxy = new RandomProxy(server, targets)
    return proxy
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
