import type { WallClock } from '@heyline/kit/wall-clock'
import {
  FRAME_SAMPLES,
  GRACE_MS,
  type RoomClientMessage,
  type RoomServerMessage,
  type WordsWish,
} from '@heyline/room-protocol'
import { RoomError } from '../room-error.js'
import { RoomSocket } from './room-socket.js'
import { TRANSPORTS, type Transport, type TransportName } from './transport.js'

/** How long a join may take. */
const JOIN_TIMEOUT_MS = 15_000
/** How long one attempt to come back may take. */
const TRY_TIMEOUT_MS = 5000
/** The waits between attempts to come back, the first of which is made at once; the last is repeated. */
const WAITS_MS = [250, 500, 1000, 2000]
/** Frames of 20 ms that a line may refuse in a row, three seconds of them, before it is taken for dead. */
const MOST_REFUSED = 150
/** Messages that may wait for the connection to come back. The platform takes forty at once. */
const MOST_WAITING = 20

export interface RoomConnectionHandlers {
  /** With `words` the platform wants those that are recognised here. */
  onJoined(participantId: string, words?: WordsWish): void
  /** What comes once it is joined, but for the end. */
  onRoomMessage(message: RoomServerMessage): void
  onAppMessage(text: string): void
  onAudio(samples: Int16Array): void
  /** The connection broke and is sought again; or has been found. */
  onChanged(event: 'interrupted' | 'connected'): void
  /** It is over, for good: by an error, or as the platform says. Called once, and not after `close`. */
  onEnded(end: { error?: Error | undefined; endedReason?: string }): void
}

/** The line to a room over as many sockets as it takes: one that breaks is followed by another while the room allows it. */
export class RoomConnection {
  readonly #url: string
  readonly #transport: Transport
  readonly #clock: WallClock
  readonly #handlers: RoomConnectionHandlers
  #state: 'joining' | 'up' | 'away' | 'over' = 'joining'
  #socket: RoomSocket
  /** Where this call can be joined again; undefined on a transport that lets nobody come back. */
  #returnUrl: string | undefined
  #graceMs = GRACE_MS
  /** Frames that came over the last connection that stood. */
  #received: number | undefined
  #deadline: number
  #tries = 0
  #refused = 0
  #waiting: string[] = []
  #cancelTimer: () => void

  /** Connects. Throws a `SyntaxError` when the address is none. */
  constructor(url: string, transport: TransportName, clock: WallClock, handlers: RoomConnectionHandlers) {
    this.#url = url
    this.#transport = TRANSPORTS[transport]
    this.#clock = clock
    this.#handlers = handlers
    this.#deadline = clock.now() + JOIN_TIMEOUT_MS
    this.#socket = this.#connect(url)
    this.#cancelTimer = clock.after(JOIN_TIMEOUT_MS, () =>
      this.#end({
        error: new RoomError('connection-error', 'The room did not answer in time. Start again.'),
      }),
    )
  }

  /** Where this call can be joined again, once; undefined before the join and after the end. */
  get returnUrl(): string | undefined {
    return this.#state === 'over' ? undefined : this.#returnUrl
  }

  /** Tells the platform; what it waits for is told when the connection is back. Words are too late by then. */
  send(message: RoomClientMessage): void {
    if (this.#state === 'up') this.#socket.send(message)
    else if (this.#state === 'away' && message.type !== 'room.words')
      this.#wait(this.#transport.write(message))
  }

  /** Sends, or keeps it until the connection is back. Throws when too much waits already. */
  sendText(text: string): void {
    if (this.#state === 'up') this.#socket.sendText(text)
    else if (this.#waiting.length < MOST_WAITING) this.#wait(text)
    else throw new Error('The connection to the room is interrupted, and too many messages wait already.')
  }

  /** What is said while the connection is interrupted is lost. */
  sendAudio(samples: Int16Array): void {
    if (this.#state !== 'up') return
    this.#refused = this.#socket.sendAudio(samples) ? 0 : this.#refused + 1
    if (this.#refused <= MOST_REFUSED || !this.#returnUrl) return
    this.#socket.abandon()
    this.#lost(new RoomError('connection-error'))
  }

  /** The person hangs up. */
  leave(): void {
    this.send({ type: 'room.leave' })
    this.#close()
  }

  #connect(url: string): RoomSocket {
    return new RoomSocket(url, this.#transport, {
      onRoomMessage: (message) => this.#obey(message),
      onAppMessage: (text) => this.#handlers.onAppMessage(text),
      onAudio: (samples) => this.#handlers.onAudio(samples),
      onClosed: (error) => (error ? this.#lost(error) : this.#end({})),
    })
  }

  #obey(message: RoomServerMessage): void {
    if (message.type === 'room.joined') this.#joined(message)
    else if (message.type === 'room.ended') this.#end({ endedReason: message.reason })
    else if (message.type === 'room.error') this.#failed(new RoomError(message.kind, message.message))
    else this.#handlers.onRoomMessage(message)
  }

  #joined({ graceMs = GRACE_MS, participantId, resumeToken, words }: Joined): void {
    const isBack = this.#state === 'away'
    this.#state = 'up'
    this.#cancelTimer()
    this.#graceMs = graceMs
    this.#returnUrl = resumeToken ? returnUrl(this.#url, resumeToken) : undefined
    this.#refused = 0
    // Something must come over this connection for the platform to know that it stands: a listener without a microphone sends nothing.
    if (isBack || isReturn(this.#url)) this.#socket.sendAudio(new Int16Array(FRAME_SAMPLES))
    for (const text of this.#waiting.splice(0)) this.#socket.sendText(text)
    if (isBack) this.#handlers.onChanged('connected')
    else this.#handlers.onJoined(participantId, words)
  }

  /**
   * The room refuses, or puts out. A connection error is all that another attempt may mend: who is told so has not come in, and another
   * server may have room.
   */
  #failed(error: RoomError): void {
    if (this.#state !== 'up' && error.code === 'connection-error') {
      this.#socket.abandon()
      this.#tryLater(error)
    } else this.#fail(error)
  }

  #lost(error: RoomError): void {
    const mayReturn = this.#returnUrl ?? isReturn(this.#url)
    if (error.code !== 'connection-error' || !mayReturn) this.#fail(error)
    else if (this.#state === 'up') this.#seek()
    else this.#tryLater(error)
  }

  #seek(): void {
    this.#state = 'away'
    this.#received = this.#socket.received
    this.#deadline = this.#clock.now() + this.#graceMs
    this.#tries = 0
    this.#handlers.onChanged('interrupted')
    if (this.#state === 'away') this.#try()
  }

  #try(): void {
    const url = this.#returnUrl ? `${this.#returnUrl}&received=${this.#received}` : this.#url
    this.#socket = this.#connect(url)
    this.#cancelTimer = this.#clock.after(TRY_TIMEOUT_MS, () => {
      this.#socket.abandon()
      this.#tryLater(new RoomError('connection-error'))
    })
  }

  #tryLater(cause: RoomError): void {
    this.#cancelTimer()
    const wait = WAITS_MS[Math.min(this.#tries++, WAITS_MS.length - 1)] ?? 0
    if (this.#clock.now() + wait > this.#deadline) this.#fail(cause)
    else this.#cancelTimer = this.#clock.after(wait, () => this.#try())
  }

  #wait(text: string | undefined): void {
    if (text !== undefined) this.#waiting.push(text)
  }

  /** Whatever stands in the way of coming back, to the call it is a lost connection. */
  #fail(cause: RoomError): void {
    const isLost = this.#state === 'away'
    this.#end({ error: isLost ? new RoomError('connection-error', undefined, { cause }) : cause })
  }

  #end(end: Parameters<RoomConnectionHandlers['onEnded']>[0]): void {
    if (this.#state === 'over') return
    this.#close()
    this.#handlers.onEnded(end)
  }

  #close(): void {
    this.#state = 'over'
    this.#cancelTimer()
    this.#socket.close()
  }
}

type Joined = Extract<RoomServerMessage, { type: 'room.joined' }>

/** The address of a room with a resume token in place of what it was opened with. */
function returnUrl(url: string, token: string): string {
  const address = new URL(url)
  address.searchParams.delete('secret')
  address.searchParams.set('resume', token)
  return address.href
}

const isReturn = (url: string): boolean => new URL(url).searchParams.has('resume')
