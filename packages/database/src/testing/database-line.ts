import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Db } from '../db/db.js'

/**
 * A line between one process and the run's Postgres. It can be cut: what is open breaks, and nothing new comes through. Or it goes deaf: what is
 * open stays so, and nothing comes through there any more.
 */
export class DatabaseLine {
  /** What the process takes for its database's address. */
  readonly url: string
  readonly #server: Server
  readonly #open: Set<Socket>
  #isCut = false

  private constructor(server: Server, name: string, open: Set<Socket>) {
    this.#server = server
    this.#open = open
    this.url = `postgresql://postgres@127.0.0.1:${(server.address() as AddressInfo).port}/${name}`
  }

  /** To a database of the run's Postgres, which listens at a socket in a folder. */
  static async open(db: Db): Promise<DatabaseLine> {
    const { rows } = await db.query<{ name: string }>('select current_database() as name')
    const folder = new URL(process.env.HEYLINE_TEST_POSTGRES ?? '').searchParams.get('host') ?? ''
    const open = new Set<Socket>()
    const server = createServer((near) => {
      if (line.#isCut) {
        near.resetAndDestroy()
        return
      }
      const far = connect(join(folder, '.s.PGSQL.5432'))
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        open.add(socket)
        socket.on('error', () => undefined)
        socket.once('close', () => {
          open.delete(socket)
          other.destroy()
        })
        socket.pipe(other)
      }
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const line = new DatabaseLine(server, rows[0]?.name ?? '', open)
    return line
  }

  cut(): void {
    this.#isCut = true
    for (const socket of this.#open) socket.destroy()
  }

  /** New connections come through. */
  deafen(): void {
    for (const socket of this.#open) {
      socket.unpipe()
      socket.removeAllListeners('close')
      socket.once('close', () => this.#open.delete(socket))
      socket.resume()
    }
  }

  /** Open connections, of both ends. */
  get connections(): number {
    return this.#open.size
  }

  mend(): void {
    this.#isCut = false
  }

  async close(): Promise<void> {
    this.cut()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
