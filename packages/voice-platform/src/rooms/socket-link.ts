import {
  type AppMessage,
  bytesOf,
  CHUNK_SAMPLES,
  parseClientText,
  type RoomClientMessage,
  type RoomServerMessage,
  roomText,
} from '@heyline/room-protocol'
import type { WebSocket } from 'ws'
import type { Clock } from '../clock.js'
import { Inbox } from '../inbox.js'
import type { Link, LinkHandlers, MarkOutcome } from '../link.js'
import { RoomSocket } from './room-socket.js'

/** How long a client may take to answer a clear, in milliseconds. Then its marks are settled without it. */
const CLEAR_TIMEOUT_MS = 1_000

interface Clear {
  /** The last mark that was set before the clear. */
  lastMark: number
  done(playedMs: number): void
}

/** A `room.v1` client as a link: speech goes out ahead of real time, the client plays it and reports marks. */
export class SocketLink implements Link {
  readonly #socket: RoomSocket
  readonly #inbox = new Inbox()
  readonly #clock: Clock
  readonly #marks = new Map<number, (outcome: MarkOutcome) => void>()
  readonly #clears = new Map<number, Clear>()
  #lastId = 0

  constructor(socket: WebSocket, clock: Clock) {
    this.#clock = clock
    this.#socket = new RoomSocket(socket, {
      audio: (samples) => this.#inbox.audio(samples),
      text: (text) => this.#text(text),
      over: (reason) => this.#over(reason),
    })
  }

  /** Resolves when the connection is over, whoever ended it. */
  get gone(): Promise<void> {
    return this.#socket.gone
  }

  open(handlers: LinkHandlers): void {
    this.#inbox.open(handlers)
  }

  send(samples: Int16Array): void {
    for (let at = 0; at < samples.length; at += CHUNK_SAMPLES)
      this.#socket.send(bytesOf(samples.subarray(at, at + CHUNK_SAMPLES)))
  }

  mark(): Promise<MarkOutcome> {
    if (this.#inbox.over) return Promise.resolve('cleared')
    const id = ++this.#lastId
    return new Promise((resolve) => {
      this.#marks.set(id, resolve)
      this.#tell({ type: 'room.mark', id })
    })
  }

  clear(): Promise<number> {
    if (this.#inbox.over) return Promise.resolve(0)
    const lastMark = this.#lastId
    const id = ++this.#lastId
    return new Promise((resolve) => {
      const stop = this.#clock.after(CLEAR_TIMEOUT_MS, () => this.#cleared(id, 0))
      const done = (playedMs: number) => {
        stop()
        resolve(playedMs)
      }
      this.#clears.set(id, { lastMark, done })
      this.#tell({ type: 'room.clear', id })
    })
  }

  listening(): void {
    this.#tell({ type: 'room.listening' })
  }

  event(message: AppMessage): void {
    this.#socket.send(JSON.stringify(message))
  }

  close(endedReason: string): void {
    if (this.#inbox.over) return
    this.#tell({ type: 'room.ended', reason: endedReason })
    this.#inbox.end()
    this.#socket.close(endedReason)
    this.#settle()
  }

  #tell(message: RoomServerMessage): void {
    this.#socket.send(roomText(message))
  }

  #text(text: string): void {
    const parsed = parseClientText(text)
    if (parsed.kind === 'invalid') this.#socket.refuse(1007, parsed.reason)
    else if (parsed.kind === 'app') this.#inbox.message(parsed.message)
    else this.#roomMessage(parsed.message)
  }

  #roomMessage(message: RoomClientMessage): void {
    if (message.type === 'room.leave') this.#socket.leave()
    else if (message.type === 'room.cleared') this.#cleared(message.id, message.playedMs)
    else if (message.type === 'room.played') {
      this.#marks.get(message.id)?.('played')
      this.#marks.delete(message.id)
    }
  }

  /** Marks are settled when the client has cleared, since one may have been reached while the clear was under way. */
  #cleared(id: number, playedMs: number): void {
    const clear = this.#clears.get(id)
    if (!clear) return
    this.#clears.delete(id)
    for (const [mark, settle] of this.#marks) {
      if (mark > clear.lastMark) continue
      settle('cleared')
      this.#marks.delete(mark)
    }
    clear.done(playedMs)
  }

  #over(reason: 'left' | 'lost'): void {
    this.#settle()
    this.#inbox.closed(reason)
  }

  #settle(): void {
    for (const settle of this.#marks.values()) settle('cleared')
    this.#marks.clear()
    for (const clear of this.#clears.values()) clear.done(0)
    this.#clears.clear()
  }
}
