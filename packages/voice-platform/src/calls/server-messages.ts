import type { Clock } from '@heyline/kit/clock'
import type { CreateAssistant, ServerMessage } from '@heyline/platform-client'
import type { Logger } from 'pino'
import { lacksAuthentication } from '../assistants/server-schema.js'
import { Lanes } from '../work/lanes.js'
import type { CallRow } from './call-row.js'
import { artifactOf, callView } from './call-view.js'
import { MessagePost } from './message-post.js'
import { type MessageServer, ownServer } from './message-server.js'
import { withoutSecrets } from './without-secrets.js'

/** Most messages that wait for their servers. Further ones are dropped, since each holds a whole call in memory. */
const MOST_WAITING = 1_000

export interface ServerMessagesOptions {
  /** For assistants that name no server of their own. */
  server?: MessageServer
  fetch: typeof fetch
  clock: Clock
  logger: Logger
}

/**
 * Tells an assistant's server, or else the installation's, what becomes of a call (https://docs.vapi.ai/server-url/events).
 * It sends `status-update` at ringing, in-progress and ended, each final `transcript`, and `end-of-call-report` at the end.
 * One process sends a call's messages in order: the next waits while one is tried again. The log names each message that is given up.
 */
export class ServerMessages {
  readonly #options: ServerMessagesOptions
  readonly #post: MessagePost
  readonly #lanes = new Lanes()
  #waiting = 0
  /** Messages are being dropped, and the log has said so. */
  #isFull = false

  constructor(options: ServerMessagesOptions) {
    this.#options = options
    this.#post = new MessagePost(options)
  }

  /** A call has a new status. */
  status(row: CallRow): void {
    this.#send(row, {
      type: 'status-update',
      status: row.status,
      ...(row.ended_reason !== null && { endedReason: row.ended_reason }),
    })
    if (row.status !== 'ended') return
    this.#send(row, report(row))
    this.#warnOfUnsigned(row)
  }

  /** Somebody's words are final. Sent only where `serverMessages` names it; the default does not. */
  transcript(row: CallRow, role: 'user' | 'assistant', transcript: string): void {
    this.#send(row, { type: 'transcript', transcriptType: 'final', role, transcript })
  }

  /** Tries each waiting message once more. Resolves within seconds, when all are sent or given up. */
  async close(): Promise<void> {
    const isOver = this.#post.close()
    await this.#lanes.idle()
    isOver()
  }

  #send(row: CallRow, message: ServerMessage): void {
    const { server, clock } = this.#options
    const to = ownServer(row.assistant) ?? server
    if (!to || !wanted(row.assistant, message.type)) return
    if (this.#waiting >= MOST_WAITING) {
      this.#drop(row.id, message.type)
      return
    }
    const shown = withoutSecrets(row)
    const context = {
      timestamp: clock.now(),
      call: callView(shown),
      assistant: shown.assistant,
      ...(shown.customer !== null && { customer: shown.customer }),
    }
    const body = JSON.stringify({ message: { ...message, ...context } })
    this.#waiting += 1
    void this.#lanes.run(row.id, async () => {
      await this.#deliver(to, { callId: row.id, type: message.type, body })
      this.#waiting -= 1
      if (this.#waiting === 0) this.#isFull = false
    })
  }

  /** Warns at the first drop, and again only after the line was empty. */
  #drop(callId: string, type: string): void {
    if (!this.#isFull)
      this.#options.logger.warn(
        { callId, type, waiting: this.#waiting },
        'server messages dropped: too many wait',
      )
    this.#isFull = true
  }

  /** Warns once a call. A credential that is refused today may have been stored earlier. */
  #warnOfUnsigned({ id, assistant }: CallRow): void {
    if (ownServer(assistant) && lacksAuthentication(assistant.credentials))
      this.#options.logger.warn(
        { callId: id },
        'server messages not signed by their webhook credential: its plan is not served',
      )
  }

  /** Never rejects. */
  async #deliver(
    server: MessageServer,
    { callId, type, body }: { callId: string; type: string; body: string },
  ): Promise<void> {
    const { delivered, tries, status, failure } = await this.#post.send(server, body)
    const { logger } = this.#options
    if (delivered) return
    if (status !== undefined) logger.warn({ callId, type, tries, status }, 'server message refused')
    else logger.warn({ callId, type, tries, err: failure }, 'server message not delivered')
  }
}

/** Messages that are sent only where `serverMessages` has one of these names. */
const ASKED_FOR: Readonly<Record<string, readonly string[]>> = {
  transcript: ['transcript', 'transcript[transcriptType="final"]', "transcript[transcriptType='final']"],
}

function wanted({ serverMessages }: CreateAssistant, type: string): boolean {
  const names = ASKED_FOR[type]
  if (serverMessages === undefined) return names === undefined
  return (names ?? [type]).some((name) => serverMessages.includes(name))
}

function report(row: CallRow): ServerMessage {
  const { started_at, ended_at } = row
  const seconds = started_at && ended_at ? (ended_at.getTime() - started_at.getTime()) / 1000 : 0
  return {
    type: 'end-of-call-report',
    endedReason: row.ended_reason ?? 'unknown-error',
    ...(started_at && { startedAt: started_at.toISOString() }),
    ...(ended_at && { endedAt: ended_at.toISOString() }),
    durationSeconds: seconds,
    cost: 0,
    costs: [],
    artifact: artifactOf(row),
    analysis: {},
  }
}
