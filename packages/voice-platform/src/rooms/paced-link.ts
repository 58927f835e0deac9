import { type AppMessage, bytesOf, parseClientText } from '@heyline/room-protocol'
import type { WebSocket } from 'ws'
import { CallerFeed } from '../link/caller-feed.js'
import type { Link, LinkHandlers, MarkOutcome } from '../link/link.js'
import { Playout } from '../link/playout.js'
import { Background } from './background.js'
import { RoomSocket, type RoomSocketOptions } from './room-socket.js'

/**
 * A client of the platform's plain WebSocket transport (`vapi.websocket`) as a link. Audio is 16 kHz mono PCM16 in real time both
 * ways, messages are JSON, and `{"type":"hangup"}` ends the call. Such a client reports no marks: the clock says when they are reached.
 */
export class PacedLink implements Link {
  readonly #socket: RoomSocket
  readonly #feed = new CallerFeed()
  readonly #playout: Playout
  readonly #background: Background

  constructor(socket: WebSocket, options: RoomSocketOptions) {
    this.#background = new Background(options.clock, (samples) => this.#socket.send(bytesOf(samples)))
    this.#playout = new Playout(options.clock, { onFrame: (samples) => this.#background.under(samples) })
    this.#socket = new RoomSocket(socket, options, {
      onAudio: (samples) => this.#feed.audio(samples),
      onText: (text) => this.#text(text),
      onEnd: (end) => this.#over(end === 'left' ? 'left' : 'lost'),
    })
  }

  /** Resolves when the connection is over, whoever ended it. */
  get gone(): Promise<void> {
    return this.#socket.gone
  }

  open(handlers: LinkHandlers): void {
    this.#feed.open(handlers)
  }

  send(samples: Int16Array): void {
    this.#playout.add(samples)
  }

  office(isOn = true): void {
    if (!this.#feed.over) this.#background.office(isOn)
  }

  mark(): Promise<MarkOutcome> {
    return this.#playout.mark()
  }

  async clear(): Promise<number> {
    return this.#playout.clear()
  }

  /** The transport has no message for it. Its clients speak and listen from the first frame. */
  listening(): void {}

  event(message: AppMessage): void {
    this.#socket.send(JSON.stringify(message))
  }

  close(endedReason: string): void {
    if (this.#feed.over) return
    this.#feed.end()
    this.#socket.close(endedReason)
    this.#playout.end()
    this.#background.end()
  }

  #text(text: string): void {
    const parsed = parseClientText(text)
    if (parsed.kind === 'invalid') this.#socket.refuse(1007, parsed.reason)
    else if (parsed.kind === 'room') this.#socket.refuse(1007, 'room.v1 was not agreed on')
    else if (parsed.message.type === 'hangup') this.#socket.leave()
    else this.#feed.message(parsed.message)
  }

  #over(reason: 'left' | 'lost'): void {
    this.#playout.end()
    this.#background.end()
    this.#feed.closed(reason)
  }
}
