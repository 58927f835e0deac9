import { once } from 'node:events'
import { connect, createServer, type Server } from 'node:net'

/** One address for several servers: each connection goes to the next of them. Without any it is refused. */
export class Balancer {
  readonly url: string
  /** Ports on this machine; may change while it runs. */
  ports: readonly number[] = []
  readonly #server: Server

  private constructor(server: Server, url: string) {
    this.#server = server
    this.url = url
  }

  static async start(): Promise<Balancer> {
    let turn = 0
    const server = createServer((client) => {
      const port = balancer.ports[turn++ % balancer.ports.length]
      client.on('error', () => client.destroy())
      if (port === undefined) {
        client.destroy()
        return
      }
      const upstream = connect(port, '127.0.0.1')
      upstream.on('error', () => client.destroy())
      client.on('close', () => upstream.destroy())
      upstream.on('close', () => client.destroy())
      client.pipe(upstream).pipe(client)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('No port is free on 127.0.0.1')
    const balancer = new Balancer(server, `http://localhost:${address.port}`)
    return balancer
  }

  stop() {
    this.#server.close()
  }
}
