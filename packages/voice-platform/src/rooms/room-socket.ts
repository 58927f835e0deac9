import type { Clock } from '@heyline/kit/clock'
import { MAX_AUDIO_BYTES, samplesOf } from '@heyline/room-protocol'
import type { Logger } from 'pino'
import type { RawData, WebSocket } from 'ws'
import { guarded } from '../sockets/guarded.js'
import { Heartbeat } from '../sockets/heartbeat.js'
import { ClientBudget } from './client-budget.js'

/** Most bytes that wait for a client which does not read: four minutes of speech. Beyond it the client is cut off. */
const MAX_UNSENT_BYTES = 8_000_000
/** How long a client whose connection was refused may take to read why, in milliseconds. Then it is cut off. */
const CUT_MS = 2_000

/** Bytes that a close frame has for its reason (RFC 6455, 5.5: 125 less two of the code). `ws` throws above it. */
export const MAX_CLOSE_REASON_BYTES = 123

export interface RoomSocketOptions {
  clock: Clock
  logger: Logger
  /** What the client may still send, where it was here before over another connection. */
  budget?: ClientBudget
}

/** How a connection ended: regularly, by breaking or going away (such a client may come back), or for a rule it broke. */
export type ConnectionEnd = 'left' | 'lost' | 'refused'

export interface RoomSocketHandlers {
  onAudio(samples: Int16Array): void
  onText(text: string): void
  /** The connection is over, for whatever reason but our own `close`. Called once. */
  onEnd(end: ConnectionEnd): void
}

/**
 * One client's WebSocket in a room. A frame beyond the limits closes it with a code of RFC 6455 and a reason (1002 no frame at
 * all, 1007 text that is none, 1009 too much in a frame, 1008 too many messages or pings, audio too fast or reads too slowly,
 * 1011 our own mistake): that is the end `refused`. A client that gives no sign of life for thirty seconds is closed with 1001,
 * and `lost`, as one whose page goes away.
 */
export class RoomSocket {
  /** Resolves when the connection is over, whoever ended it. */
  readonly gone: Promise<void>
  readonly #socket: WebSocket
  readonly #handlers: RoomSocketHandlers
  readonly #clock: Clock
  readonly #budget: ClientBudget
  readonly #heartbeat: Heartbeat
  #over = false

  constructor(
    socket: WebSocket,
    { clock, logger, budget = new ClientBudget(clock) }: RoomSocketOptions,
    handlers: RoomSocketHandlers,
  ) {
    this.#socket = socket
    this.#handlers = handlers
    this.#clock = clock
    this.#budget = budget
    this.#heartbeat = new Heartbeat(socket, clock, (code, reason) => this.refuse(code, reason))
    const closed = socket.readyState === socket.CLOSED
    this.gone = new Promise((resolve) => {
      if (closed) resolve()
      else socket.once('close', () => resolve())
    })
    const failed = { logger, fail: () => this.refuse(1011, 'internal error') }
    socket.on(
      'message',
      guarded((data: RawData, isBinary: boolean) => this.#read(data, isBinary), failed),
    )
    // 1005: a client closed without a code. That is somebody who leaves.
    socket.on(
      'close',
      guarded((code: number) => this.#end([1000, 1005].includes(code) ? 'left' : 'lost'), failed),
    )
    // Also what nobody asks for is work, and each ping makes a pong that may not be read.
    for (const kind of ['ping', 'pong'] as const)
      socket.on(
        kind,
        guarded(() => {
          if (!this.#over && !this.#budget.ping()) this.refuse(1008, 'too many pings')
        }, failed),
      )
    // A socket in error closes itself, and `close` follows: of a broken line soon, of a client that sends no frames when it likes.
    socket.on(
      'error',
      guarded((error: Error) => {
        if (isOfFrames(error)) this.#end('refused')
      }, failed),
    )
    if (closed) this.#end('lost')
  }

  /** Sends a text or a binary frame; dropped when the connection is over. */
  send(frame: string | Uint8Array): void {
    if (this.#over || this.#socket.readyState !== this.#socket.OPEN) return
    this.#socket.send(frame)
    if (this.#socket.bufferedAmount > MAX_UNSENT_BYTES) this.refuse(1008, 'reads too slowly')
  }

  /** Ends a connection whose client broke a rule. */
  refuse(code: number, reason: string): void {
    this.#socket.close(code, closeReason(reason))
    this.#end('refused')
  }

  /** The client asked to end the call. */
  leave(): void {
    this.#socket.close(1000)
    this.#end('left')
  }

  /** Ends the connection from our side; `onEnd` is not called. Idempotent. */
  close(reason: string, code = 1000): void {
    if (this.#over) return
    this.#over = true
    this.#heartbeat.stop()
    this.#socket.close(code, closeReason(reason))
  }

  #read(data: RawData, isBinary: boolean): void {
    if (this.#over) return
    this.#heartbeat.beat()
    const bytes = bytesOf(data)
    if (isBinary) this.#audio(bytes)
    else this.#text(bytes.toString('utf8'))
  }

  #audio(bytes: Buffer): void {
    if (bytes.length > MAX_AUDIO_BYTES) this.refuse(1009, `audio frame over ${MAX_AUDIO_BYTES} bytes`)
    else if (this.#budget.audio(bytes.length / 2)) this.#handlers.onAudio(samplesOf(bytes))
    else this.refuse(1008, 'audio faster than real time')
  }

  #text(text: string): void {
    if (this.#budget.message()) this.#handlers.onText(text)
    else this.refuse(1008, 'too many messages')
  }

  #end(end: ConnectionEnd): void {
    if (this.#over) return
    this.#over = true
    this.#heartbeat.stop()
    if (end === 'refused') this.#cutLater()
    this.#handlers.onEnd(end)
  }

  /** Its close frame may queue behind what it does not read, and so its answer may never come. */
  #cutLater(): void {
    if (this.#socket.readyState === this.#socket.CLOSED) return
    const stop = this.#clock.after(CUT_MS, () => this.#socket.terminate())
    this.#socket.once('close', stop)
  }
}

/** The client has sent what is no WebSocket frame, or too long a one: `ws` has closed the socket with 1002, 1007 or 1009. */
const isOfFrames = (error: Error): boolean => 'code' in error && String(error.code).startsWith('WS_ERR_')

const bytesOf = (data: RawData): Buffer => {
  if (Buffer.isBuffer(data)) return data
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
}

/** A reason as a close frame can carry it: cut behind the last whole character that fits, counted in bytes of UTF-8. */
export function closeReason(text: string): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_CLOSE_REASON_BYTES))
  return text.slice(0, read)
}
