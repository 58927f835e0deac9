import {
  type AppMessage,
  bytesOf,
  CHUNK_SAMPLES,
  FATAL_ERRORS,
  parseClientText,
  type RoomClientMessage,
  type RoomServerMessage,
  roomText,
} from '@heyline/room-protocol'
import type { WebSocket } from 'ws'
import { CallerFeed } from '../link/caller-feed.js'
import type { CallerWords } from '../link/caller-words.js'
import type { Link, LinkHandlers, MarkOutcome } from '../link/link.js'
import { ClientBudget } from './client-budget.js'
import { Outbox } from './outbox.js'
import { PausableClock } from './pausable-clock.js'
import { RemotePlayback } from './remote-playback.js'
import { type ConnectionEnd, RoomSocket, type RoomSocketOptions } from './room-socket.js'

/** What a connection is told when its client comes back over another. */
const ELSEWHERE = 'The call goes on over another connection.'

export interface SocketLinkOptions extends RoomSocketOptions {
  /** How long a client that was lost may come back, in milliseconds. Until then the session is told nothing. */
  graceMs: number
  /** Takes the words that the client recognises; left out, they are dropped. */
  words?: CallerWords | undefined
}

/**
 * A `room.v1` client as a link. Speech goes out ahead of real time; the client plays it and reports marks. The link outlives its
 * connection. While the client is away, frames are held, and the time for answers to marks and clears stands still.
 */
export class SocketLink implements Link {
  /** Resolves when the link and its connection are over, whoever ended them. */
  readonly gone: Promise<void>
  readonly words: CallerWords | undefined
  readonly #options: SocketLinkOptions
  readonly #feed = new CallerFeed()
  readonly #outbox = new Outbox()
  readonly #playing: PausableClock
  readonly #playback: RemotePlayback
  #socket: RoomSocket
  #isAway = false
  #hasHeard = false
  #isListening = false
  #stopGrace = () => {}
  #tellGone: () => void = () => {}

  constructor(socket: WebSocket, options: SocketLinkOptions) {
    this.#options = { budget: new ClientBudget(options.clock), ...options }
    this.words = options.words
    this.gone = new Promise((resolve) => {
      this.#tellGone = resolve
    })
    this.#playing = new PausableClock(options.clock)
    this.#playback = new RemotePlayback(this.#playing, (message) => this.#tell(message))
    this.#socket = this.#connect(socket)
  }

  /** The client is gone for good, or was sent away. */
  get over(): boolean {
    return this.#feed.over
  }

  /** Whether the client may come back: it is not gone, and all text that it may have missed is held. */
  get isOpen(): boolean {
    return !this.over && !this.#outbox.isTorn
  }

  /** Something came over the current connection, so the client knows that it is in. */
  get hasHeard(): boolean {
    return this.#hasHeard
  }

  /**
   * The client comes back over another connection. The last one is closed if it still stands. `received` is how many of its frames the
   * client has. It is undefined for a client that knows nothing of the call, such as a page that was loaded again.
   */
  resume(socket: WebSocket, received: number | undefined): void {
    this.#stopGrace()
    this.#socket.send(roomText({ type: 'room.error', kind: 'ejected', message: ELSEWHERE }))
    this.#socket.close(ELSEWHERE, FATAL_ERRORS.ejected)
    this.#isAway = false
    this.#hasHeard = false
    this.#socket = this.#connect(socket)
    this.#playing.resume()
    for (const frame of this.#outbox.restart(received ?? 0)) this.#socket.send(frame)
    if (received === undefined && this.#isListening) this.listening()
  }

  open(handlers: LinkHandlers): void {
    this.#feed.open(handlers)
  }

  send(samples: Int16Array): void {
    for (let at = 0; at < samples.length; at += CHUNK_SAMPLES)
      this.#send(bytesOf(samples.subarray(at, at + CHUNK_SAMPLES)))
    this.#playback.sent(samples.length)
  }

  mark(): Promise<MarkOutcome> {
    return this.#playback.mark()
  }

  clear(): Promise<number> {
    this.#outbox.clear()
    return this.#playback.clear()
  }

  listening(): void {
    this.#isListening = true
    this.#tell({ type: 'room.listening' })
  }

  event(message: AppMessage): void {
    this.#send(JSON.stringify(message))
  }

  close(endedReason: string): void {
    if (this.over) return
    this.#tell({ type: 'room.ended', reason: endedReason })
    this.#feed.end()
    this.#socket.close(endedReason)
    this.#end()
  }

  #connect(socket: WebSocket): RoomSocket {
    return new RoomSocket(socket, this.#options, {
      onAudio: (samples) => {
        this.#hasHeard = true
        this.#feed.audio(samples)
      },
      onText: (text) => this.#text(text),
      onEnd: (end) => this.#over(end),
    })
  }

  #tell(message: RoomServerMessage): void {
    const id = 'id' in message ? { id: message.id } : {}
    this.#send(roomText(message), { ...id, isMark: message.type === 'room.mark' })
  }

  #send(frame: string | Uint8Array, kind: { id?: number; isMark?: boolean } = {}): void {
    if (this.over) return
    this.#outbox.add(frame, { ...kind, isSent: !this.#isAway })
    this.#socket.send(frame)
    if (this.#isAway && this.#outbox.isTorn) this.#gone('lost')
  }

  #text(text: string): void {
    this.#hasHeard = true
    const parsed = parseClientText(text)
    if (parsed.kind === 'invalid') this.#socket.refuse(1007, parsed.reason)
    else if (parsed.kind === 'app') this.#feed.message(parsed.message)
    else this.#roomMessage(parsed.message)
  }

  #roomMessage(message: RoomClientMessage): void {
    if (message.type === 'room.leave') this.#socket.leave()
    else if (message.type === 'room.words') this.words?.take(message.text, message.isFinal)
    else if (message.type === 'room.key') this.#feed.digit(message.key)
    else if (message.type === 'room.cleared') {
      this.#outbox.answered(message.id)
      this.#playback.cleared(message.id, message.playedMs)
    } else if (message.type === 'room.played') {
      this.#outbox.answered(message.id)
      this.#playback.played(message.id)
    }
  }

  #over(end: ConnectionEnd): void {
    if (end === 'lost' && !this.#outbox.isTorn) this.#away()
    else this.#gone(end === 'left' ? 'left' : 'lost')
  }

  #away(): void {
    this.#isAway = true
    this.#playing.pause()
    this.#stopGrace = this.#options.clock.after(this.#options.graceMs, () => this.#gone('lost'))
  }

  #gone(reason: 'left' | 'lost'): void {
    this.#end()
    this.#feed.closed(reason)
  }

  #end(): void {
    this.#stopGrace()
    this.#playback.end()
    void this.#socket.gone.then(this.#tellGone)
  }
}
