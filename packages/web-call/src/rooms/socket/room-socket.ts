import {
  bytesOf,
  fatalErrorOfCloseCode,
  MAX_AUDIO_BYTES,
  parseServerText,
  ROOM_PROTOCOL,
  type RoomClientMessage,
  type RoomServerMessage,
  roomText,
  samplesOf,
} from '@heyline/room-protocol'
import { RoomError } from '../room-error.js'

export interface RoomSocketHandlers {
  room(message: RoomServerMessage): void
  /** The JSON text of a message that only passes through the room. */
  app(text: string): void
  audio(samples: Int16Array): void
  /** The other side closed, or the connection is lost. Called once at most, and not after our own `close`. */
  closed(error: RoomError | undefined): void
}

const NORMAL_CLOSE = 1000
/** What a browser reports of a connection that broke or never stood (RFC 6455, 7.1.5). */
const LOST_CONNECTION = 1006

/** One WebSocket that speaks `room.v1`. */
export class RoomSocket {
  readonly #socket: WebSocket
  #handlers: RoomSocketHandlers | undefined

  /** Connects. Throws a `SyntaxError` when the address is none. */
  constructor(url: string, handlers: RoomSocketHandlers) {
    this.#handlers = handlers
    this.#socket = new WebSocket(url, ROOM_PROTOCOL)
    this.#socket.binaryType = 'arraybuffer'
    this.#socket.onmessage = ({ data }: MessageEvent<unknown>) => this.#read(data)
    // A close follows an error, with the code of a lost connection; where a page's policy forbids the address, none follows.
    this.#socket.onerror = () => this.#closedBy(LOST_CONNECTION, '')
    this.#socket.onclose = ({ code, reason }) => this.#closedBy(code, reason)
  }

  /** Sends when the connection is open, and else does nothing: what a lost connection misses is of no use later. */
  send(message: RoomClientMessage): void {
    this.sendText(roomText(message))
  }

  sendText(text: string): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(text)
  }

  /** Drops the audio when two seconds of it wait already: on a stalled line, late speech is worse than lost speech. */
  sendAudio(samples: Int16Array): void {
    if (this.#socket.readyState !== WebSocket.OPEN || this.#socket.bufferedAmount > MAX_AUDIO_BYTES) return
    this.#socket.send(Uint8Array.from(bytesOf(samples)))
  }

  close(): void {
    this.#handlers = undefined
    this.#socket.close(NORMAL_CLOSE)
  }

  #read(data: unknown): void {
    if (data instanceof ArrayBuffer) this.#handlers?.audio(samplesOf(data))
    if (typeof data !== 'string') return
    const text = parseServerText(data)
    if (text.kind === 'room') this.#handlers?.room(text.message)
    else if (text.kind === 'app') this.#handlers?.app(data)
    else console.warn(`A frame of the call room was ignored: ${text.reason}`)
  }

  #closedBy(code: number, reason: string): void {
    const handlers = this.#handlers
    this.#handlers = undefined
    const kind = fatalErrorOfCloseCode(code) ?? 'connection-error'
    handlers?.closed(code === NORMAL_CLOSE ? undefined : new RoomError(kind, reason))
  }
}
