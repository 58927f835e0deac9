import {
  bytesOf,
  fatalErrorOfCloseCode,
  MAX_AUDIO_BYTES,
  type RoomClientMessage,
  type RoomServerMessage,
  samplesOf,
} from '@heyline/room-protocol'
import { RoomError } from '../room-error.js'
import type { Transport } from './transport.js'

export interface RoomSocketHandlers {
  onRoomMessage(message: RoomServerMessage): void
  /** The JSON text of a message that only passes through the room. */
  onAppMessage(text: string): void
  onAudio(samples: Int16Array): void
  /** The other side closed, or the connection is lost. Called once at most, and not after our own `close`. */
  onClosed(error: RoomError | undefined): void
}

const NORMAL_CLOSE = 1000
/** What is reported of a close without a code (RFC 6455, 7.1.5): on the plain transport, which has none of its own, a regular end. */
const NO_CODE = 1005
/** What a browser reports of a connection that broke or never stood (RFC 6455, 7.1.5). */
const LOST_CONNECTION = 1006
/** A close of ours that is not the end of the call. Of the reserved codes a browser lets a page use 1000 only. */
const GIVEN_UP = 4000

/**
 * One WebSocket of a room. On the plain transport, which has no words for it, the connection's opening is the join, and the
 * first that comes says that the assistant listens.
 */
export class RoomSocket {
  /** Frames that came after the first, `room.joined`. */
  received = -1
  readonly #socket: WebSocket
  readonly #transport: Transport
  #handlers: RoomSocketHandlers | undefined

  /** Connects. Throws a `SyntaxError` when the address is none. */
  constructor(url: string, transport: Transport, handlers: RoomSocketHandlers) {
    this.#handlers = handlers
    this.#transport = transport
    this.#socket = new WebSocket(url, transport.protocol ?? [])
    this.#socket.binaryType = 'arraybuffer'
    this.#socket.onopen = () => {
      if (this.#isPlain)
        this.#tell({ type: 'room.joined', callId: '', participantId: 'local', resumeToken: '' })
    }
    this.#socket.onmessage = ({ data }: MessageEvent<unknown>) => this.#read(data)
    // A close follows an error, with the code of a lost connection; where a page's policy forbids the address, none follows.
    this.#socket.onerror = () => this.#closedBy(LOST_CONNECTION, '')
    this.#socket.onclose = ({ code, reason }) => this.#closedBy(code, reason)
  }

  send(message: RoomClientMessage): void {
    const text = this.#transport.write(message)
    if (text !== undefined) this.sendText(text)
  }

  /** Sends when the connection is open, and else does nothing. */
  sendText(text: string): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(text)
  }

  /**
   * False when the audio was dropped because two seconds of it wait already: on a stalled line, late speech is worse than
   * lost speech.
   */
  sendAudio(samples: Int16Array): boolean {
    if (this.#socket.bufferedAmount > MAX_AUDIO_BYTES) return false
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(Uint8Array.from(bytesOf(samples)))
    return true
  }

  /** Ends the call for the other side. */
  close(): void {
    this.#handlers = undefined
    this.#socket.close(NORMAL_CLOSE)
  }

  /** Gives up this connection, not the call. */
  abandon(): void {
    this.#handlers = undefined
    this.#socket.close(GIVEN_UP)
  }

  get #isPlain(): boolean {
    return this.#transport.protocol === undefined
  }

  #tell(message: RoomServerMessage): void {
    this.#handlers?.onRoomMessage(message)
  }

  #read(data: unknown): void {
    this.received++
    if (this.#isPlain && this.received === 0) this.#tell({ type: 'room.listening' })
    if (data instanceof ArrayBuffer) this.#handlers?.onAudio(samplesOf(data))
    if (typeof data !== 'string') return
    const text = this.#transport.read(data)
    if (text.kind === 'room') this.#tell(text.message)
    else if (text.kind === 'app') this.#handlers?.onAppMessage(data)
    else console.warn(`A frame of the call room was ignored: ${text.reason}`)
  }

  #closedBy(code: number, reason: string): void {
    const handlers = this.#handlers
    this.#handlers = undefined
    const kind = fatalErrorOfCloseCode(code) ?? 'connection-error'
    const isRegular = code === NORMAL_CLOSE || (this.#isPlain && code === NO_CODE)
    handlers?.onClosed(isRegular ? undefined : new RoomError(kind, reason))
  }
}
