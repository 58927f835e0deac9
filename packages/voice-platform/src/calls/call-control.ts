import type { Db } from '@heyline/database'
import type { Logger } from 'pino'
import { z } from 'zod'
import { ApiError } from '../resources/api-error.js'
import type { CallArchive } from './call-archive.js'
import type { CallProgress } from './call-progress.js'
import { type ControlMessage, controlBody, readControlMessage } from './control-message.js'
import type { Conversations } from './conversations.js'
import type { PhoneCalls } from './phone-calls.js'

/** The channel on which a process hands on messages for calls that it does not hold. */
const CHANNEL = 'voice_platform_control'

/** Postgres sends 8,000 bytes at most with a notification. */
const MOST_NOTICE_BYTES = 7_900

const notice = z.object({ callId: z.uuid(), message: controlBody })

export interface CallControlOptions {
  db: Db
  archive: CallArchive
  conversations: Conversations
  phoneCalls: PhoneCalls
  progress: CallProgress
  /** Sends a message to the process that holds the call; false where that one does not take it. Left out where this process is alone. */
  relay?: ((callId: string, payload: string) => Promise<boolean>) | undefined
  logger: Logger
}

/**
 * Steers running calls from outside their room. A process that does not hold the call hands the message on to all others, and the
 * one that holds it obeys. The message is lost if that process dies meanwhile.
 */
export class CallControl {
  readonly #options: CallControlOptions
  #listening: Promise<() => Promise<void>> | undefined

  constructor(options: CallControlOptions) {
    this.#options = options
  }

  /** Begins to listen to other processes. */
  async start(): Promise<void> {
    this.#listening = this.#options.db.listen(CHANNEL, (payload) => this.#hear(payload))
    await this.#listening
  }

  async close(): Promise<void> {
    const unlisten = await this.#listening?.catch(() => undefined)
    // A database that is away cannot be told, and need not be.
    await unlisten?.().catch(() => undefined)
  }

  /**
   * Obeys a message, or hands it on. Rejects with an `ApiError`: 404 where there is no such call, 413 for a message that is too long to
   * be handed on, and 400 when the call has ended. Before somebody answers, all but `end-call` are 400 too.
   */
  async obey(callId: string, message: ControlMessage): Promise<void> {
    const { archive, conversations, progress } = this.#options
    if (conversations.control(callId, message)) return
    const { status, type } = await archive.get(callId)
    if (status === 'ended') throw new ApiError(400, `Call ${callId} has ended.`)
    if (status === 'in-progress') return await this.#handOn(callId, message)
    if (message.type !== 'end-call') throw new ApiError(400, `Nobody has answered call ${callId} yet.`)
    if (type === 'webCall') {
      await progress.endUnanswered(callId, 'manually-canceled')
      return
    }
    // Another process may have dialled; only that one can stop the ringing.
    await this.#handOn(callId, message)
  }

  async #handOn(callId: string, message: ControlMessage): Promise<void> {
    const payload = JSON.stringify({ callId, message })
    if (Buffer.byteLength(payload) > MOST_NOTICE_BYTES) return await this.#send(callId, payload)
    await this.#options.db.query('select pg_notify($1, $2)', [CHANNEL, payload])
  }

  /** Straight to the process that holds the call. */
  async #send(callId: string, payload: string): Promise<void> {
    const { relay, logger } = this.#options
    const taken = await relay?.(callId, payload).catch((error: unknown) => {
      logger.warn({ callId, err: error }, 'a long control message was not handed on')
      return false
    })
    if (!taken)
      throw new ApiError(
        413,
        `The message is too long for a call of another server, which was not reached directly. Send at most ${MOST_NOTICE_BYTES} bytes.`,
      )
  }

  /** Takes a message that another process has sent here. False where this one does not hold the call. */
  take(payload: string): boolean {
    const told = this.#read(payload)
    return told !== undefined && this.#options.conversations.control(told.callId, told.message)
  }

  #hear(payload: string): void {
    const { conversations, phoneCalls } = this.#options
    const told = this.#read(payload)
    if (!told || conversations.control(told.callId, told.message)) return
    if (told.message.type === 'end-call') void phoneCalls.hangUp(told.callId)
  }

  #read(payload: string): { callId: string; message: ControlMessage } | undefined {
    try {
      const { callId, message } = notice.parse(JSON.parse(payload))
      return { callId, message: readControlMessage(message) }
    } catch {
      this.#options.logger.warn('a control message of another process could not be read')
      return undefined
    }
  }
}
