import type { Clock } from '@heyline/kit/clock'
import { MAX_AUDIO_BYTES, samplesOf } from '@heyline/room-protocol'
import type { Logger } from 'pino'
import type { RawData, WebSocket } from 'ws'
import { guarded } from '../sockets/guarded.js'
import { Heartbeat } from '../sockets/heartbeat.js'
import { ClientBudget } from './client-budget.js'

/** Most bytes that wait for a client that does not read: four minutes of speech. Then the client is cut off. */
const MAX_UNSENT_BYTES = 8_000_000
/** How long a refused client may take to read why, in milliseconds. Then it is cut off. */
const CUT_MS = 2_000

/** Most bytes of a close frame's reason (RFC 6455, 5.5: 125 less two for the code). `ws` throws above it. */
export const MAX_CLOSE_REASON_BYTES = 123

export interface RoomSocketOptions {
  clock: Clock
  logger: Logger
  /** What the client may still send, where it was here before over another connection. */
  budget?: ClientBudget
}

/** How a connection ended. `left`: regularly. `lost`: it broke, or the page went away; the client may come back. `refused`: it broke a rule. */
export type ConnectionEnd = 'left' | 'lost' | 'refused'

export interface RoomSocketHandlers {
  onAudio(samples: Int16Array): void
  onText(text: string): void
  /** The connection is over. Called once, and not for our own `close`. */
  onEnd(end: ConnectionEnd): void
}

/**
 * One client's WebSocket in a room. A client that breaks a rule is closed with a code of RFC 6455 and a reason, and counts as
 * `refused`: 1002 for what is no frame, 1007 for text that is no message, 1009 for a frame that is too long, 1008 for too many
 * messages or pings, audio too fast, or reading too slowly, 1011 for a mistake of ours. A client without a sign of life for thirty
 * seconds is closed with 1001 and counts as `lost`, like one whose page went away.
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
    // 1005 is a close without a code: the client leaves.
    socket.on(
      'close',
      guarded((code: number) => this.#end([1000, 1005].includes(code) ? 'left' : 'lost'), failed),
    )
    // Pings and pongs are work too, and each ping makes a pong that the client may not read.
    for (const kind of ['ping', 'pong'] as const)
      socket.on(
        kind,
        guarded(() => {
          if (!this.#over && !this.#budget.ping()) this.refuse(1008, 'too many pings')
        }, failed),
      )
    // A socket in error closes itself. `close` follows soon where the line broke, and late where a client sends nonsense.
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
    if (this.#budget.message(text.length)) this.#handlers.onText(text)
    else this.refuse(1008, 'too many messages')
  }

  #end(end: ConnectionEnd): void {
    if (this.#over) return
    this.#over = true
    this.#heartbeat.stop()
    if (end === 'refused') this.#cutLater()
    this.#handlers.onEnd(end)
  }

  /** The close frame may wait behind data that the client does not read, so its answer may never come. */
  #cutLater(): void {
    if (this.#socket.readyState === this.#socket.CLOSED) return
    const stop = this.#clock.after(CUT_MS, () => this.#socket.terminate())
    this.#socket.once('close', stop)
  }
}

/** The client sent something that is no WebSocket frame, or a frame that is too long. `ws` has closed with 1002, 1007 or 1009. */
const isOfFrames = (error: Error): boolean => 'code' in error && String(error.code).startsWith('WS_ERR_')

const bytesOf = (data: RawData): Buffer => {
  if (Buffer.isBuffer(data)) return data
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
}

/** Cuts a reason to what a close frame can carry, behind the last whole character that fits in UTF-8. */
export function closeReason(text: string): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_CLOSE_REASON_BYTES))
  return text.slice(0, read)
}
