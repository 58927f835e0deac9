import { MAX_AUDIO_BYTES, samplesOf } from '@heyline/room-protocol'
import type { Logger } from 'pino'
import type { RawData, WebSocket } from 'ws'
import type { Clock } from '../clock.js'
import { closeReason } from './close-reason.js'
import { guarded } from './guarded.js'
import { Heartbeat } from './heartbeat.js'
import { MessageBudget } from './message-budget.js'

/** Most bytes that wait for a client which does not read: four minutes of speech. Beyond it the client is cut off. */
const MAX_UNSENT_BYTES = 8_000_000

export interface RoomSocketOptions {
  clock: Clock
  logger: Logger
  /** What the client may still send, where it was here before over another connection. */
  budget?: MessageBudget
}

/** How a connection ended: regularly, by breaking or going away (such a client may come back), or for a rule it broke. */
export type ConnectionEnd = 'left' | 'lost' | 'refused'

export interface RoomSocketHandlers {
  audio(samples: Int16Array): void
  text(text: string): void
  /** The connection is over, for whatever reason but our own `close`. Called once. */
  over(end: ConnectionEnd): void
}

/**
 * One client's WebSocket in a room. A frame beyond the limits closes it with a code of RFC 6455 and a reason (1007 text that is
 * none, 1009 too much audio in a frame, 1008 too many messages or reads too slowly, 1011 our own mistake): that is the end
 * `refused`. A client that is silent for thirty seconds is cut off (1006) and `lost`, as one whose page goes away (1001).
 */
export class RoomSocket {
  /** Resolves when the connection is over, whoever ended it. */
  readonly gone: Promise<void>
  readonly #socket: WebSocket
  readonly #handlers: RoomSocketHandlers
  readonly #budget: MessageBudget
  readonly #heartbeat: Heartbeat
  #over = false

  constructor(
    socket: WebSocket,
    { clock, logger, budget = new MessageBudget(clock) }: RoomSocketOptions,
    handlers: RoomSocketHandlers,
  ) {
    this.#socket = socket
    this.#handlers = handlers
    this.#budget = budget
    this.#heartbeat = new Heartbeat(socket, clock)
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
    this.#socket.close(code, closeReason(reason))
    this.#end('refused')
  }

  /** The client asked to end the call. */
  leave(): void {
    this.#socket.close(1000)
    this.#end('left')
  }

  /** Ends the connection from our side; `over` is not called. Idempotent. */
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
    if (!isBinary) this.#text(bytes.toString('utf8'))
    else if (bytes.length > MAX_AUDIO_BYTES) this.refuse(1009, `audio frame over ${MAX_AUDIO_BYTES} bytes`)
    else this.#handlers.audio(samplesOf(bytes))
  }

  #text(text: string): void {
    if (this.#budget.spend()) this.#handlers.text(text)
    else this.refuse(1008, 'too many messages')
  }

  #end(end: ConnectionEnd): void {
    if (this.#over) return
    this.#over = true
    this.#heartbeat.stop()
    this.#handlers.over(end)
  }
}

const bytesOf = (data: RawData): Buffer => {
  if (Buffer.isBuffer(data)) return data
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data)
}
