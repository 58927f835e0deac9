import type { Clock } from '@heyline/kit/clock'
import { hashOf } from '@heyline/kit/secret'
import type { Logger } from 'pino'
import { WebSocket } from 'ws'
import type { Link } from '../../link/link.js'
import { guarded } from '../../sockets/guarded.js'
import type { LegStore } from './leg-store.js'
import type { StreamStart } from './twilio-frame.js'
import { TwilioLink } from './twilio-link.js'
import { awaitStart } from './twilio-media.js'

export interface OpenStreamsOptions {
  legs: LegStore
  clock: Clock
  logger: Logger
  /** Somebody has answered, and their audio has come to this process. */
  onAnswered(callId: string, link: Link): void
  /** The stream of an answered call has ended, whoever ended it. */
  onGone(callId: string): void
}

/** The media streams that have come to this process, whichever process dialled. */
export class OpenStreams {
  readonly #options: OpenStreamsOptions
  readonly #links = new Map<string, TwilioLink>()

  constructor(options: OpenStreamsOptions) {
    this.#options = options
  }

  /** Takes a socket whose signature was verified. */
  accept(socket: WebSocket): void {
    const { clock, logger } = this.#options
    awaitStart(socket, { clock, logger, accept: (start, refuse) => void this.#take(socket, start, refuse) })
  }

  /** Closes a call's audio from our side, which ends the call at Twilio too. */
  hangUp(callId: string): void {
    this.#links.get(callId)?.close()
  }

  /** The call is over: the session hears that the caller has left. */
  leave(callId: string): void {
    this.#links.get(callId)?.leave()
    this.#links.delete(callId)
  }

  /** The calls whose audio is here. */
  held(): string[] {
    return [...this.#links.keys()]
  }

  /** Never rejects. */
  async #take(socket: WebSocket, start: StreamStart, refuse: (why: string) => void): Promise<void> {
    const { legs, clock, logger, onAnswered, onGone } = this.#options
    const { call = '', key = '' } = start.customParameters
    // It keeps what comes while the database is asked.
    const link = new TwilioLink({ socket, streamSid: start.streamSid, logger })
    let isOurs: boolean
    try {
      isOurs = await legs.takeStream(call, start.callSid, hashOf(key), clock.now())
    } catch (error) {
      logger.error({ callId: call, err: error }, 'twilio stream not taken: the database cannot be asked')
      socket.close(1011)
      return
    }
    if (!isOurs) return refuse('no call waits for it, or its key is wrong, spent or too old')
    this.#links.set(call, link)
    logger.info({ callId: call, sid: start.callSid }, 'twilio call answered')
    onAnswered(call, link)
    const guard = { logger, fail: () => socket.close(1011) }
    // Runs after the link's own listener: the session learns first that the caller is gone, then the platform.
    socket.once(
      'close',
      guarded(() => onGone(call), guard),
    )
    if (socket.readyState === WebSocket.CLOSED) onGone(call)
  }
}
