import { type Clock, systemClock } from '@heyline/kit/clock'
import { type RawData, WebSocket } from 'ws'
import { Budget, type BudgetOptions } from '../../work/budget.js'
import { EngineError } from '../engine.js'
import { type EngineHosts, engineHosts } from '../engine-hosts.js'
import { EngineRefusal } from '../openai/exchange.js'

/** How long a server may take to answer, in milliseconds. */
export const SILENCE_MS = 10_000
/** Most bytes that wait for the connection: a minute of speech as base64, and some more. */
const MOST_WAITING = 6_000_000

/** What a server may send over one connection. */
export interface SocketBounds {
  /** Bytes of one message. */
  message: number
  bytes: BudgetOptions
  messages: BudgetOptions
}

export interface EngineSocketOptions {
  engine: string
  url: string
  headers: Readonly<Record<string, string>>
  /** How long the connection may take, in milliseconds. */
  silenceMs?: number | undefined
  /** What goes beyond them ends the connection as broken. */
  bounds: SocketBounds
  clock?: Clock
  /** Instead of the process's. */
  hosts?: Pick<EngineHosts, 'lookup'>
  onMessage(data: Buffer, isBinary: boolean): void
  /** Told once, unless we closed it ourselves. */
  onFailed(error: EngineError): void
}

/** One WebSocket to an engine's server. What is sent before it is open waits. */
export class EngineSocket {
  readonly #socket: WebSocket
  readonly #options: EngineSocketOptions
  readonly #bytes: Budget
  readonly #messages: Budget
  #waiting: (string | Uint8Array)[] = []
  #waitingBytes = 0
  #isOver = false

  constructor(options: EngineSocketOptions) {
    this.#options = options
    const { url, headers, silenceMs = SILENCE_MS, bounds, clock = systemClock, hosts = engineHosts } = options
    this.#bytes = new Budget(clock, bounds.bytes)
    this.#messages = new Budget(clock, bounds.messages)
    this.#socket = new WebSocket(url, {
      headers: { ...headers },
      handshakeTimeout: silenceMs,
      lookup: hosts.lookup,
      maxPayload: bounds.message,
      perMessageDeflate: false,
    })
    this.#socket
      .on('open', () => this.#opened())
      .on('message', (data, isBinary) => {
        const bytes = bytesOfMessage(data)
        if (this.#admits(bytes)) options.onMessage(bytes, isBinary)
      })
      .on('ping', (data) => this.#admits(data))
      .on('pong', (data) => this.#admits(data))
      .on('unexpected-response', (request, { statusCode = 0 }) => {
        this.#failed(new EngineRefusal(options.engine, statusCode, undefined))
        request.destroy()
      })
      .on('error', (cause) => {
        const message = isTooLong(cause)
          ? `a message of the server is longer than ${bounds.message} bytes`
          : 'the server could not be reached or broke off; check its URL'
        this.#failed(new EngineError(options.engine, message, { cause }))
      })
      .on('close', (code) =>
        this.#failed(new EngineError(options.engine, `the server closed the connection (${code})`)),
      )
  }

  /** False when the connection is over. */
  get isUsable(): boolean {
    return !this.#isOver && this.#socket.readyState <= WebSocket.OPEN
  }

  send(data: string | Uint8Array): void {
    if (this.#isOver) return
    if (this.#socket.readyState === WebSocket.OPEN) {
      this.#socket.send(data)
      return
    }
    this.#waitingBytes += data.length
    if (this.#waitingBytes <= MOST_WAITING) this.#waiting.push(data)
    else this.fail('too much waits for the connection')
  }

  /** Ends the connection as broken. */
  fail(message: string): void {
    this.#failed(new EngineError(this.#options.engine, message))
  }

  /** Says goodbye where the wire has a word for it, and ends the connection. Idempotent. */
  close(goodbye?: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#waiting = []
    if (this.#socket.readyState === WebSocket.OPEN) {
      if (goodbye !== undefined) this.#socket.send(goodbye)
      this.#socket.close(1000)
    } else this.#socket.terminate()
  }

  /** Whether what came is within the bounds. Else that ends the connection. */
  #admits({ length }: Buffer): boolean {
    if (this.#isOver) return false
    if (!this.#messages.spend()) this.fail('the server sends too many messages')
    else if (!this.#bytes.spend(length)) this.fail('the server sends too many bytes')
    return !this.#isOver
  }

  #opened(): void {
    for (const data of this.#waiting.splice(0)) this.#socket.send(data)
  }

  #failed(error: EngineError): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#waiting = []
    this.#socket.terminate()
    this.#options.onFailed(error)
  }
}

const bytesOfMessage = (data: RawData): Buffer =>
  Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data)

/** As `ws` says it of what is longer than `maxPayload`. */
const isTooLong = (cause: Error): boolean =>
  'code' in cause && cause.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH'
