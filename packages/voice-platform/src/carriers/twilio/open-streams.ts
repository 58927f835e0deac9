import type { Clock } from '@heyline/kit/clock'
import { hashOf } from '@heyline/kit/secret'
import type { Logger } from 'pino'
import { type RawData, WebSocket } from 'ws'
import { guarded } from '../../sockets/guarded.js'
import type { CarrierEvents, DialRequest } from '../carrier.js'
import { AnswerWait } from './answer-wait.js'
import type { AnsweredBy } from './leg-notice.js'
import type { LegRow, LegStore } from './leg-store.js'
import type { StreamStart } from './twilio-frame.js'
import { TwilioLink } from './twilio-link.js'
import { awaitStart } from './twilio-media.js'

export interface OpenStreamsOptions {
  legs: LegStore
  clock: Clock
  logger: Logger
  /** The call was answered, whatever becomes of it. */
  onPickedUp(callId: string): void
  /** Somebody has answered, and their audio has come to this process. */
  onAnswered: CarrierEvents['onAnswered']
  onMachine: CarrierEvents['onMachine']
  /** The call is back from a transfer: there is no need to know who has answered. */
  isKnown(callId: string): boolean
  /** A machine has answered a call that is to end then. */
  onVoicemail(callId: string, sid: string): void
  /** The stream of an answered call has ended, whoever ended it. */
  onGone(callId: string): void
}

/** Whether a call ends now that this one has answered it. A machine that may get a message has to have finished its greeting. */
export const isOver = (by: AnsweredBy, machines: DialRequest['machines'] | null): boolean =>
  by === 'machine' || (by === 'tone' && machines !== 'report')

interface Stream {
  socket: WebSocket
  start: StreamStart
  leg: LegRow
  /** Who has answered; undefined until Twilio has said it. */
  by?: AnsweredBy
  /** Until the platform was told of it. */
  wait?: AnswerWait
  link?: TwilioLink
}

/** The media streams that have come to this process, whichever process dialled. */
export class OpenStreams {
  readonly #options: OpenStreamsOptions
  readonly #streams = new Map<string, Stream>()

  constructor(options: OpenStreamsOptions) {
    this.#options = options
  }

  /** Takes a socket whose signature was verified. */
  accept(socket: WebSocket): void {
    const { clock, logger } = this.#options
    awaitStart(socket, { clock, logger, accept: (start, refuse) => void this.#take(socket, start, refuse) })
  }

  /** Twilio has said who has answered. Idempotent. */
  news(callId: string, by: AnsweredBy): void {
    const stream = this.#streams.get(callId)
    if (stream === undefined || stream.by !== undefined) return
    stream.by = by
    if (isOver(by, stream.leg.machines)) this.#options.onVoicemail(callId, stream.start.callSid)
    else if (stream.link === undefined) this.#answer(callId, stream)
    else if (by === 'tone') this.#options.onMachine(callId)
  }

  /** Closes a call's audio from our side, which ends the call at Twilio too. */
  hangUp(callId: string): void {
    const stream = this.#streams.get(callId)
    if (stream?.link) stream.link.close()
    else stream?.socket.close(1000)
  }

  /** The same, and nobody hears that it has gone. */
  drop(callId: string): void {
    this.hangUp(callId)
    this.#forget(callId)
  }

  /** The call is over: the session hears that the caller has left. */
  leave(callId: string): void {
    const stream = this.#streams.get(callId)
    if (stream?.link) stream.link.leave()
    else stream?.socket.close(1000)
    this.#forget(callId)
  }

  /** The calls whose audio is here. */
  held(): string[] {
    return [...this.#streams.keys()]
  }

  /** Never rejects. */
  async #take(socket: WebSocket, start: StreamStart, refuse: (why: string) => void): Promise<void> {
    const { legs, logger } = this.#options
    const { call = '', key = '' } = start.customParameters
    const meanwhile = keepMessages(socket)
    let leg: LegRow | undefined
    try {
      leg = await legs.takeStream(call, start.callSid, hashOf(key))
    } catch (error) {
      logger.error({ callId: call, err: error }, 'twilio stream not taken: the database cannot be asked')
      socket.close(1011)
      return
    }
    const early = meanwhile()
    if (leg === undefined) return refuse('no call waits for it, or its key is wrong, spent or too old')
    this.#options.onPickedUp(call)
    const stream: Stream = { socket, start, leg }
    this.#streams.set(call, stream)
    if (leg.machines === null || leg.answered_by !== null || this.#options.isKnown(call))
      this.#begin(call, stream, early)
    else this.#await(call, stream)
    const guard = { logger, fail: () => socket.close(1011) }
    // Runs after the link's own listener: the session learns first that the caller is gone, then the platform.
    socket.once(
      'close',
      guarded(() => this.#gone(call, stream), guard),
    )
    if (socket.readyState === WebSocket.CLOSED) this.#gone(call, stream)
  }

  #begin(callId: string, stream: Stream, early: Message[]): void {
    const by = stream.leg.answered_by
    if (by !== null && isOver(by, stream.leg.machines)) {
      this.news(callId, by)
      return
    }
    if (by !== null) stream.by = by
    this.#answer(callId, stream)
    for (const [data, isBinary] of early) stream.socket.emit('message', data, isBinary)
  }

  /** What is said meanwhile is not kept: the first message is the answer to it. */
  #await(callId: string, stream: Stream): void {
    const { clock, legs } = this.#options
    stream.wait = new AnswerWait(stream.socket, clock, async () => {
      // Notifications may be lost.
      const leg = await legs.find(callId).catch(() => undefined)
      if (leg?.answered_by) this.news(callId, leg.answered_by)
      else if (stream.link === undefined && this.#streams.get(callId) === stream) this.#answer(callId, stream)
    })
  }

  #answer(callId: string, stream: Stream): void {
    const { clock, logger, onAnswered } = this.#options
    const { socket, start, by } = stream
    stream.wait?.end()
    stream.link = new TwilioLink({ socket, streamSid: start.streamSid, logger, clock })
    logger.info({ callId, sid: start.callSid, by }, 'twilio call answered')
    if (by === 'tone') onAnswered(callId, stream.link, 'machine')
    else onAnswered(callId, stream.link)
  }

  #gone(callId: string, stream: Stream): void {
    if (this.#streams.get(callId) === stream) this.#options.onGone(callId)
  }

  #forget(callId: string): void {
    this.#streams.get(callId)?.wait?.end()
    this.#streams.delete(callId)
  }
}

type Message = [data: RawData, isBinary: boolean]

/** Keeps a socket's messages until the returned function is called, which returns them. */
function keepMessages(socket: WebSocket): () => Message[] {
  const kept: Message[] = []
  const keep = (...message: Message) => void kept.push(message)
  socket.on('message', keep)
  return () => {
    socket.off('message', keep)
    return kept
  }
}
