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
import { Inbox } from '../inbox.js'
import type { Link, LinkHandlers, MarkOutcome } from '../link.js'
import { RemotePlayback } from './remote-playback.js'
import { RoomSocket, type RoomSocketOptions } from './room-socket.js'

/** A `room.v1` client as a link: speech goes out ahead of real time, the client plays it and reports marks. */
export class SocketLink implements Link {
  readonly #socket: RoomSocket
  readonly #inbox = new Inbox()
  readonly #playback: RemotePlayback

  constructor(socket: WebSocket, options: RoomSocketOptions) {
    this.#playback = new RemotePlayback(options.clock, (message) => this.#tell(message))
    this.#socket = new RoomSocket(socket, options, {
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
    this.#playback.sent(samples.length)
  }

  mark(): Promise<MarkOutcome> {
    return this.#playback.mark()
  }

  clear(): Promise<number> {
    return this.#playback.clear()
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
    this.#playback.end()
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
    else if (message.type === 'room.cleared') this.#playback.cleared(message.id, message.playedMs)
    else if (message.type === 'room.played') this.#playback.played(message.id)
  }

  #over(reason: 'left' | 'lost'): void {
    this.#playback.end()
    this.#inbox.closed(reason)
  }
}
