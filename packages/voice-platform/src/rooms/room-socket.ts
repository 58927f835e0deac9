import { MAX_AUDIO_BYTES, samplesOf } from '@heyline/room-protocol'
import type { RawData, WebSocket } from 'ws'

/** Most bytes that wait for a client which does not read: four minutes of speech. Beyond it the client is cut off. */
const MAX_UNSENT_BYTES = 8_000_000

/** Longest reason of a close frame, in characters (RFC 6455: 123 bytes; our reasons are ASCII). */
const MAX_REASON = 123

export interface RoomSocketHandlers {
  audio(samples: Int16Array): void
  text(text: string): void
  /** The connection is over, for whatever reason but our own `close`. Called once. */
  over(reason: 'left' | 'lost'): void
}

/**
 * One client's WebSocket in a room. A frame beyond the limits closes it with a code of RFC 6455 and a reason
 * (1007 text that is none, 1009 too much audio in a frame, 1008 reads too slowly), which is the end `lost`.
 */
export class RoomSocket {
  /** Resolves when the connection is over, whoever ended it. */
  readonly gone: Promise<void>
  readonly #socket: WebSocket
  readonly #handlers: RoomSocketHandlers
  #over = false

  constructor(socket: WebSocket, handlers: RoomSocketHandlers) {
    this.#socket = socket
    this.#handlers = handlers
    const closed = socket.readyState === socket.CLOSED
    this.gone = new Promise((resolve) => {
      if (closed) resolve()
      else socket.once('close', () => resolve())
    })
    socket.on('message', (data, isBinary) => this.#read(data, isBinary))
    // 1001: the page went away; 1005: a client closed without a code. Both are people who leave.
    socket.on('close', (code) => this.#end([1000, 1001, 1005].includes(code) ? 'left' : 'lost'))
    // A socket in error closes itself, and `close` follows.
    socket.on('error', () => undefined)
    if (closed) this.#end('lost')
  }

  /** Sends a text or a binary frame; dropped when the connection is over. */
  send(frame: string | Uint8Array): void {
    if (this.#over || this.#socket.readyState !== this.#socket.OPEN) return
    this.#socket.send(frame)
    if (this.#socket.bufferedAmount > MAX_UNSENT_BYTES) {
      this.refuse(1008, 'reads too slowly')
      // The close frame queues behind what is not read, so that no answer to it can be awaited.
      this.#socket.terminate()
    }
  }

  /** Ends a connection whose client broke a rule. */
  refuse(code: number, reason: string): void {
    this.#socket.close(code, reason.slice(0, MAX_REASON))
    this.#end('lost')
  }

  /** The client asked to end the call. */
  leave(): void {
    this.#socket.close(1000)
    this.#end('left')
  }

  /** Ends the connection from our side; `over` is not called. Idempotent. */
  close(reason: string): void {
    if (this.#over) return
    this.#over = true
    this.#socket.close(1000, reason.slice(0, MAX_REASON))
  }

  #read(data: RawData, isBinary: boolean): void {
    if (this.#over) return
    const bytes = bytesOf(data)
    if (!isBinary) this.#handlers.text(bytes.toString('utf8'))
    else if (bytes.length > MAX_AUDIO_BYTES) this.refuse(1009, `audio frame over ${MAX_AUDIO_BYTES} bytes`)
    else this.#handlers.audio(samplesOf(bytes))
  }

  #end(reason: 'left' | 'lost'): void {
    if (this.#over) return
    this.#over = true
    this.#handlers.over(reason)
  }
}

const bytesOf = (data: RawData): Buffer => {
  if (Buffer.isBuffer(data)) return data
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
}
