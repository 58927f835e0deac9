import { PHONE_PROTOCOL, type PhoneClientMessage, type PhoneServerMessage } from '@heyline/room-protocol'
import { type Clock, systemClock } from '@heyline/web-call'
import type { LineState } from './phone.js'

const FIRST_RETRY_MS = 500
const LONGEST_RETRY_MS = 10_000

export interface CarrierLineHandlers {
  onLine(state: LineState): void
  onMessage(message: PhoneServerMessage): void
}

/** The WebSocket to the simulated carrier. A line that is lost is connected again, with longer and longer pauses. */
export class CarrierLine {
  readonly #url: string
  readonly #handlers: CarrierLineHandlers
  readonly #clock: Clock
  #socket: WebSocket | undefined
  #failures = 0
  #cancelRetry: (() => void) | undefined

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

  close(): void {
    this.#cancelRetry?.()
    const socket = this.#socket
    this.#socket = undefined
    socket?.close()
  }

  #connect(): void {
    const socket = new WebSocket(this.#url, PHONE_PROTOCOL)
    this.#socket = socket
    const isCurrent = () => this.#socket === socket
    socket.onopen = () => {
      if (!isCurrent()) return
      this.#failures = 0
      this.#handlers.onLine('open')
    }
    socket.onmessage = ({ data }: MessageEvent<unknown>) => {
      const message = readMessage(data)
      if (isCurrent() && message) this.#handlers.onMessage(message)
    }
    // An error says nothing of itself; the close that follows does.
    socket.onerror = () => {}
    socket.onclose = () => {
      if (!isCurrent()) return
      const pause = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#failures++)
      this.#cancelRetry = this.#clock.after(pause, () => this.#connect())
      this.#handlers.onLine('lost')
    }
  }
}

const FIELDS: Record<PhoneServerMessage['type'], readonly string[]> = {
  ring: ['callId', 'from', 'to'],
  answered: ['callId', 'roomUrl'],
  stop: ['callId', 'reason'],
  text: ['id', 'from', 'to', 'body'],
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
