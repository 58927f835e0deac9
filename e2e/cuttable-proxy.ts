import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A network cable between a browser and a server: every byte goes through it, until it is cut. */
export class CuttableProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #target = 0
  #isCut = false
  #isStalled = false
  /** Connections that were not let through since it was cut. */
  refused = 0

  private constructor() {
    this.#server = createServer((client) => this.#carry(client))
  }

  static async start(): Promise<CuttableProxy> {
    const proxy = new CuttableProxy()
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get url(): string {
    return `http://localhost:${(this.#server.address() as AddressInfo).port}`
  }

  /** The port of this machine that it leads to. */
  leadTo(port: number): void {
    this.#target = port
  }

  /** Breaks every connection, and lets no new one through. */
  cut(): void {
    this.#isCut = true
    this.refused = 0
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Breaks nothing, and carries nothing any more: what a pulled cable looks like. New connections hear nothing. */
  stall(): void {
    this.#isStalled = true
    for (const socket of this.#sockets) socket.pause()
  }

  mend(): void {
    this.#isCut = false
    this.#isStalled = false
    for (const socket of this.#sockets) socket.resume()
  }

  async stop(): Promise<void> {
    this.cut()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #carry(client: Socket): void {
    if (this.#isCut) {
      this.refused += 1
      return void client.destroy()
    }
    const server = connect(this.#target, '127.0.0.1')
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        this.#sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
      if (this.#isStalled) socket.pause()
    }
  }
}
