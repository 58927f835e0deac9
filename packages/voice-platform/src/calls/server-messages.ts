import type { CreateAssistant, ServerMessage } from '@heyline/platform-client'
import type { Logger } from 'pino'
import type { Clock } from '../clock.js'
import { Lanes } from '../lanes.js'
import type { CallRow } from './call-row.js'
import { callView } from './call-view.js'

/** How long a server may take to answer, in milliseconds. */
const TIMEOUT_MS = 5_000

/** Where server messages go, and the secret that goes along as `X-Vapi-Secret`. */
export interface MessageServer {
  url: string
  secret?: string
}

export interface ServerMessagesOptions {
  /** For assistants that name no server of their own. */
  server?: MessageServer
  fetch: typeof fetch
  clock: Clock
  logger: Logger
}

/**
 * Tells an assistant's server, or else the platform's, what becomes of a call: `status-update` at ringing, in-progress and
 * ended, then `end-of-call-report` (https://docs.vapi.ai/server-url/events). In order within a call, as long as one process has it.
 * A message is sent once: a server that fails or is slow misses it, and the log says so. Signatures other than the secret,
 * retries and the assistant's own `timeoutSeconds`, `headers` and `backoffPlan` are not served.
 */
export class ServerMessages {
  readonly #options: ServerMessagesOptions
  readonly #lanes = new Lanes()

  constructor(options: ServerMessagesOptions) {
    this.#options = options
  }

  /** A call has a new status. */
  status(row: CallRow): void {
    this.#send(row, {
      type: 'status-update',
      status: row.status,
      ...(row.ended_reason !== null && { endedReason: row.ended_reason }),
    })
    if (row.status === 'ended') this.#send(row, report(row))
  }

  /** Resolves when every message has been sent or given up. */
  idle(): Promise<void> {
    return this.#lanes.idle()
  }

  #send(row: CallRow, message: ServerMessage): void {
    const { server, clock } = this.#options
    const to = ownServer(row.assistant) ?? server
    if (!to || !wanted(row.assistant, message.type)) return
    const context = {
      timestamp: clock.now(),
      call: callView(row),
      assistant: row.assistant,
      ...(row.customer !== null && { customer: row.customer }),
    }
    void this.#lanes.run(row.id, () => this.#post(to, row.id, { ...message, ...context }))
  }

  async #post({ url, secret }: MessageServer, callId: string, message: ServerMessage): Promise<void> {
    const { logger } = this.#options
    try {
      const response = await this.#options.fetch(url, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(secret !== undefined && { 'x-vapi-secret': secret }),
        },
        body: JSON.stringify({ message }),
        redirect: 'manual',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      await response.body?.cancel()
      if (!response.ok)
        logger.warn({ callId, type: message.type, status: response.status }, 'server message refused')
    } catch (error) {
      logger.warn({ callId, type: message.type, err: error }, 'server message not delivered')
    }
  }
}

function ownServer({ server }: CreateAssistant): MessageServer | undefined {
  if (!server?.url) return undefined
  return { url: server.url, ...(server.secret !== undefined && { secret: server.secret }) }
}

const wanted = ({ serverMessages }: CreateAssistant, type: string): boolean =>
  serverMessages === undefined || serverMessages.includes(type)

function report(row: CallRow): ServerMessage {
  const { messages, transcript, started_at, ended_at } = row
  const seconds = started_at && ended_at ? (ended_at.getTime() - started_at.getTime()) / 1000 : 0
  return {
    type: 'end-of-call-report',
    endedReason: row.ended_reason ?? 'unknown-error',
    ...(started_at && { startedAt: started_at.toISOString() }),
    ...(ended_at && { endedAt: ended_at.toISOString() }),
    durationSeconds: seconds,
    cost: 0,
    costs: [],
    artifact: { messages, transcript: transcript ?? '' },
    analysis: {},
  }
}
