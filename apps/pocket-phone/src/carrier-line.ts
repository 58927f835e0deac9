import { PHONE_PROTOCOL, type PhoneClientMessage, type PhoneServerMessage } from '@heyline/room-protocol'
import { type Clock, systemClock } from '@heyline/web-call'
import type { LineState } from './phone.js'

const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 10_000
/** How long one attempt to connect may take. A network that swallows everything refuses nothing. */
const CONNECT_MS = 5_000
/** After so long without a word of the carrier it is asked whether the line still stands. */
const QUIET_MS = 1_000
/** How long its answer may take. */
const ANSWER_MS = 2_000

/** What the carrier tells a phone; answers to pings are the line's own. */
export type CarrierMessage = Exclude<PhoneServerMessage, { type: 'pong' }>

export interface CarrierLineHandlers {
  onLine(state: LineState): void
  onMessage(message: CarrierMessage): void
}

/**
 * The WebSocket to the simulated carrier. A line that breaks or falls silent is lost within three seconds. It is connected again, with
 * longer and longer pauses.
 */
export class CarrierLine {
  readonly #url: string
  readonly #handlers: CarrierLineHandlers
  readonly #clock: Clock
  #socket: WebSocket | undefined
  #failures = 0
  /** There is one at a time: for the connection, the next ping, its answer, or the next attempt. */
  #cancelTimer = () => {}

  constructor(url: string, handlers: CarrierLineHandlers, clock: Clock = systemClock) {
    this.#url = url
    this.#handlers = handlers
    this.#clock = clock
    this.#connect()
  }

  /** What is sent while the line is lost is lost too. */
  send(message: PhoneClientMessage): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message))
  }

  /** Asks at once whether the line still stands, or connects at once where it is lost. */
  check(answerMs = ANSWER_MS): void {
    if (!this.#socket) this.#connect()
    if (this.#socket?.readyState !== WebSocket.OPEN) return
    this.send({ type: 'ping' })
    this.#after(answerMs, () => this.#lose())
  }

  close(): void {
    this.#cancelTimer()
    const socket = this.#socket
    this.#socket = undefined
    socket?.close()
  }

  #connect(): void {
    const socket = new WebSocket(this.#url, PHONE_PROTOCOL)
    this.#socket = socket
    this.#after(CONNECT_MS, () => this.#lose())
    const isCurrent = () => this.#socket === socket
    socket.onopen = () => {
      if (!isCurrent()) return
      this.#failures = 0
      this.#heard()
      this.#handlers.onLine('open')
    }
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (!isCurrent()) return
      this.#heard()
      const message = readMessage(data)
      if (message && message.type !== 'pong') this.#handlers.onMessage(message)
    }
    // An error says nothing of itself; the close that follows does.
    socket.onerror = () => {}
    socket.onclose = () => {
      if (isCurrent()) this.#lose()
    }
  }

  #heard(): void {
    this.#after(QUIET_MS, () => this.check())
  }

  #lose(): void {
    const socket = this.#socket
    this.#socket = undefined
    socket?.close()
    const pause = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#failures++)
    this.#after(pause, () => this.#connect())
    this.#handlers.onLine('lost')
  }

  #after(ms: number, run: () => void): void {
    this.#cancelTimer()
    this.#cancelTimer = this.#clock.after(ms, run)
  }
}

const FIELDS: Record<PhoneServerMessage['type'], readonly string[]> = {
  ring: ['callId', 'from', 'to'],
  answered: ['callId', 'roomUrl'],
  stop: ['callId', 'reason'],
  text: ['id', 'from', 'to', 'body'],
  pong: [],
}

/** Reads a frame of the carrier; undefined for what is none of its messages. */
export function readMessage(data: unknown): PhoneServerMessage | undefined {
  try {
    const message: unknown = JSON.parse(String(data))
    return isServerMessage(message) ? message : undefined
  } catch {
    return undefined
  }
}

function isServerMessage(message: unknown): message is PhoneServerMessage {
  if (typeof message !== 'object' || message === null || !('type' in message)) return false
  const fields = Object.entries(FIELDS).find(([type]) => type === message.type)?.[1]
  return fields?.every((field) => typeof Reflect.get(message, field) === 'string') ?? false
}

/** Where the carrier takes phones: beside the page, with the page's key. */
export function lineUrl(page: URL): string {
  const url = new URL('/-/carriers/simulated/phones', page)
  url.protocol = page.protocol === 'https:' ? 'wss:' : 'ws:'
  const key = page.searchParams.get('key')
  if (key !== null) url.searchParams.set('key', key)
  return url.href
}
