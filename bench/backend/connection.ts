import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface Answer {
  status: number
  body: Buffer
}

interface Asked {
  resolve(answer: Answer): void
  reject(error: Error): void
}

const END_OF_HEAD = '\r\n\r\n'

/**
 * One connection that is kept and asks one thing at a time: HTTP/1.1 on a bare socket, as load generators do it. It shares the
 * processors with the server that is measured, and costs them a fraction of what `node:http` or `fetch` would.
 */
export class Connection {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #asked: Asked | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => this.#fail(new Error('the server closed the connection')))
  }

  static async open(url: string): Promise<Connection> {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    return new Connection(socket)
  }

  /** Sends a whole request and resolves with its answer, which must say its length. */
  ask(request: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      // Its end was told when nobody asked.
      if (!this.#socket.writable) return reject(new Error('the server closed the connection'))
      this.#asked = { resolve, reject }
      this.#socket.write(request)
    })
  }

  close() {
    this.#asked = undefined
    this.#socket.destroy()
  }

  #take(chunk: Buffer) {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    const headLength = this.#received.indexOf(END_OF_HEAD)
    if (headLength < 0) return
    const head = this.#received.toString('latin1', 0, headLength)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    if (length === undefined) return this.#fail(new Error(`an answer without its length: ${head}`))
    const start = headLength + END_OF_HEAD.length
    if (this.#received.length < start + Number(length)) return
    const body = this.#received.subarray(start)
    this.#received = Buffer.alloc(0)
    const asked = this.#asked
    this.#asked = undefined
    asked?.resolve({ status: Number(head.slice('HTTP/1.1 '.length, 12)), body })
  }

  #fail(error: Error) {
    const asked = this.#asked
    this.#asked = undefined
    asked?.reject(error)
  }
}
