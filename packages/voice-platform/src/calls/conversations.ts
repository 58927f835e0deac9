import type { Logger } from 'pino'
import { sessionAssistant } from '../assistants/session-assistant.js'
import type { Engines } from '../engines/engine.js'
import type { Link } from '../link.js'
import type { Session, StartSession } from '../session/session.js'
import type { CallProgress } from './call-progress.js'
import type { CallRow } from './call-row.js'

export interface ConversationsOptions {
  startSession: StartSession
  engines: Engines
  progress: CallProgress
  logger: Logger
}

/** The conversations that this process holds, and their records once they are over. */
export class Conversations {
  readonly #options: ConversationsOptions
  readonly #sessions = new Map<string, Session>()
  readonly #recording = new Set<Promise<void>>()

  constructor(options: ConversationsOptions) {
    this.#options = options
  }

  /** Starts the assistant of this call on the link. Resolves when the conversation is over and its record stored. */
  hold(call: CallRow, link: Link): Promise<void> {
    const { startSession, engines } = this.#options
    const logger = this.#options.logger.child({ callId: call.id })
    logger.info({ type: call.type }, 'call in progress')
    const session = startSession({ link, engines, assistant: sessionAssistant(call.assistant), logger })
    this.#sessions.set(call.id, session)
    const recorded = this.#record(call.id, session, logger).finally(() => this.#recording.delete(recorded))
    this.#recording.add(recorded)
    return recorded
  }

  has(callId: string): boolean {
    return this.#sessions.has(callId)
  }

  /** Ends one of this process's conversations. */
  end(callId: string, reason: string): void {
    this.#sessions.get(callId)?.end(reason)
  }

  /** Ends all of them; resolves when their records are stored. */
  async endAll(reason: string): Promise<void> {
    for (const session of this.#sessions.values()) session.end(reason)
    await Promise.all(this.#recording)
  }

  async #record(callId: string, session: Session, logger: Logger): Promise<void> {
    const record = await session.ended
    try {
      await this.#options.progress.end(callId, record)
      logger.info({ endedReason: record.endedReason }, 'call ended')
    } catch (error) {
      logger.error(
        { err: error, endedReason: record.endedReason },
        'call ended, but its record was not stored',
      )
    } finally {
      this.#sessions.delete(callId)
    }
  }
}
