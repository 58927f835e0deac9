import type { Db } from '@heyline/database'
import type { Logger } from 'pino'
import { z } from 'zod'
import { ApiError } from '../resources/api-error.js'
import { type ClientMessage, readClientMessage } from '../session/client-message.js'
import type { CallArchive } from './call-archive.js'
import type { CallProgress } from './call-progress.js'
import type { Conversations } from './conversations.js'
import type { PhoneCalls } from './phone-calls.js'

/** What one process tells the others: a message for a call that it does not hold. */
const CHANNEL = 'voice_platform_control'

/** Postgres sends 8,000 bytes at most with a notification. */
const MOST_NOTICE_BYTES = 7_900

/** Control messages of the platform that no session of this one can obey. */
const UNSERVED = new Set(['transfer', 'handoff', 'send-transport-message'])

/** The body of a control request. */
export const controlBody = z.looseObject({ type: z.string() })

const notice = z.object({ callId: z.uuid(), message: controlBody })

/** Reads the body of a control request. Throws an `ApiError`: 400 for what is no control message, 501 for what is not served. */
export function readControlMessage(body: z.output<typeof controlBody>): ClientMessage {
  if (UNSERVED.has(body.type))
    throw new ApiError(501, `${body.type} is not served by the built-in voice platform.`)
  const message = readClientMessage(body)
  // That one is the customer's.
  if (!message || message.type === 'hangup')
    throw new ApiError(400, [
      'The body must be a control message: say, add-message, control or end-call, with its fields.',
    ])
  return message
}

export interface CallControlOptions {
  db: Db
  archive: CallArchive
  conversations: Conversations
  phoneCalls: PhoneCalls
  progress: CallProgress
  logger: Logger
}

/**
 * Steers running calls from outside their room. A process that does not hold the call hands the message on to all: whoever holds it obeys. Such
 * a message is lost when that process dies; who sent it sees the call go on.
 */
export class CallControl {
  readonly #options: CallControlOptions
  #listening: Promise<() => Promise<void>> | undefined

  constructor(options: CallControlOptions) {
    this.#options = options
  }

  /** Hears from now on what other processes hand on. */
  async start(): Promise<void> {
    this.#listening = this.#options.db.listen(CHANNEL, (payload) => this.#hear(payload))
    await this.#listening
  }

  async close(): Promise<void> {
    const unlisten = await this.#listening?.catch(() => undefined)
    // A database that is away hears nothing anyway.
    await unlisten?.().catch(() => undefined)
  }

  /** Rejects with an `ApiError`: 404, 400 when the call has ended or, for all but `end-call`, nobody has answered yet, 413 for what cannot be handed on. */
  async obey(callId: string, message: ClientMessage): Promise<void> {
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
    // It stops ringing where it was dialled from, which may be elsewhere.
    await this.#handOn(callId, message)
  }

  async #handOn(callId: string, message: ClientMessage): Promise<void> {
    const payload = JSON.stringify({ callId, message })
    if (Buffer.byteLength(payload) > MOST_NOTICE_BYTES)
      throw new ApiError(413, `The message is too long for a call that another process holds.`)
    await this.#options.db.query('select pg_notify($1, $2)', [CHANNEL, payload])
  }

  #hear(payload: string): void {
    const { conversations, phoneCalls, logger } = this.#options
    let told: z.output<typeof notice>
    try {
      told = notice.parse(JSON.parse(payload))
    } catch {
      logger.warn('a control message of another process could not be read')
      return
    }
    const { callId } = told
    const message = readClientMessage(told.message)
    if (!message || conversations.control(callId, message)) return
    if (message.type === 'end-call') void phoneCalls.hangUp(callId)
  }
}
