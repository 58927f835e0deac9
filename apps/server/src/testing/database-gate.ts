import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'

/** A way to a Postgres of the tests that can be cut, and opened again on the same port. */
export class DatabaseGate {
  /** The address of the database through it. */
  readonly url: string
  readonly #server
  readonly #port: number
  readonly #sockets = new Set<Socket>()

  private constructor(server: ReturnType<typeof createServer>, url: string, sockets: Set<Socket>) {
    this.#server = server
    this.#sockets = sockets
    this.#port = (server.address() as AddressInfo).port
    const address = new URL(url)
    address.searchParams.delete('host')
    address.hostname = '127.0.0.1'
    address.port = String(this.#port)
    this.url = address.href
  }

  /** `url` is of a Postgres of `startPostgres`, which has a unix socket only. */
  static async open(url: string): Promise<DatabaseGate> {
    const path = join(new URL(url).searchParams.get('host') ?? '', '.s.PGSQL.5432')
    const sockets = new Set<Socket>()
    const server = createServer((client) => {
      const database = connect(path)
      for (const [socket, other] of [
        [client, database],
        [database, client],
      ] as const) {
        sockets.add(socket)
        socket.on('error', () => {})
        socket.on('close', () => {
          sockets.delete(socket)
          other.destroy()
        })
        socket.pipe(other)
      }
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new DatabaseGate(server, url, sockets)
  }

  /** Nobody passes, and whoever has is cut off. */
  async cut(): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  async mend(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
  }
}
