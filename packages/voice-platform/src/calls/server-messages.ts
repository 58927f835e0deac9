import type { Clock } from '@heyline/kit/clock'
import type { CreateAssistant, ServerMessage } from '@heyline/platform-client'
import type { Logger } from 'pino'
import { lacksAuthentication } from '../assistants/server-schema.js'
import type { StoredServers } from '../assistants/stored-servers.js'
import type { RecordingUrls } from '../recording/recording-url.js'
import { totalOf } from './call-costs.js'
import type { CallRow } from './call-row.js'
import { artifactOf, recordingOf } from './call-view.js'
import { messageBody } from './message-body.js'
import { MessagePost } from './message-post.js'
import { MessageQueue, type QueuedMessage } from './message-queue.js'
import { type MessageServer, ownServer } from './message-server.js'

/** What became of a message to a server. */
export interface PostedMessage {
  type: string
  /** The server's address, which may hold secrets. */
  server: string
  /** Milliseconds since the epoch: when it was sent first. */
  at: number
  /** Until it was taken or given up. */
  seconds: number
  status?: number | undefined
  failure?: unknown
}

/** What is known of the call of a message: its words would wait with it. */
export type LoggedCall = Pick<CallRow, 'id' | 'assistant_id' | 'phone_number_id' | 'squad_id'>

/** Hears what is told of calls. Must not throw. */
export interface CallWatch {
  posted(call: LoggedCall, message: PostedMessage): void
  ended(row: CallRow): void
}

export interface ServerMessagesOptions {
  /** Nobody where it is left out. */
  watch?: CallWatch
  /** For assistants that name no server of their own. */
  server?: MessageServer
  /** Opens the secrets of a number's server, which the assistant of a call to that number may have. */
  servers?: StoredServers
  /** What is concluded from an ended call: its report waits for that. Undefined where there is nothing to wait for. Never rejects. */
  conclude?: (row: CallRow) => Promise<CallRow> | undefined
  /** Signs the addresses of recordings. */
  recordingUrls?: RecordingUrls | undefined
  fetch: typeof fetch
  /** Reaches no private network and not this machine: for servers that somebody else has named. */
  guardedFetch: typeof fetch
  clock: Clock
  logger: Logger
}

/**
 * Tells an assistant's server, or else the installation's, what becomes of a call (https://docs.vapi.ai/server-url/events).
 * It sends `status-update` at ringing, in-progress and ended, each final `transcript`, and `end-of-call-report` at the end.
 * One process sends a call's messages in order: the next waits while one is tried again. The log names each message that is given up.
 * Phone calls have a queue of their own, so that browser calls, which anybody starts, never push their messages out. What comes often has a
 * share of a queue, so that no call's words push out the reports of others, and so has each server that an assistant names.
 */
export class ServerMessages {
  readonly #options: ServerMessagesOptions
  readonly #post: MessagePost
  readonly #concluding = new Set<Promise<void>>()
  readonly #queues = {
    webCall: new MessageQueue(),
    outboundPhoneCall: new MessageQueue(),
    inboundPhoneCall: new MessageQueue(),
  }

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
    this.#options.watch?.ended(row)
    const concluded = this.#options.conclude?.(row)
    if (!concluded) this.#send(row, report(row, this.#options.recordingUrls))
    else {
      const told = concluded.then((whole) => {
        this.#send(whole, report(whole, this.#options.recordingUrls))
        this.#concluding.delete(told)
      })
      this.#concluding.add(told)
    }
    this.#warnOfUnsigned(row)
  }

  /** Somebody's words are final. Sent only where `serverMessages` names it; the default does not. */
  transcript(row: CallRow, role: 'user' | 'assistant', transcript: string): void {
    this.#send(row, { type: 'transcript', transcriptType: 'final', role, transcript })
  }

  /** Tries each waiting message once more. Resolves within seconds, when all are sent or given up. */
  async close(): Promise<void> {
    await Promise.all(this.#concluding)
    const isOver = this.#post.close()
    await Promise.all(Object.values(this.#queues).map((queue) => queue.idle()))
    isOver()
  }

  #send(row: CallRow, message: ServerMessage): void {
    const { server, servers } = this.#options
    const own = ownServer(row.assistant, servers)
    const to = own ?? server
    if (!to || !wanted(row.assistant, message.type)) return
    const { id, assistant_id, phone_number_id, squad_id } = row
    const { type } = message
    const queue = this.#queues[row.type]
    const queued: QueuedMessage = { callId: id, server: own?.url, comesOften: COMES_OFTEN.has(type) }
    const hasRoom = (bytes: number) => queue.hasRoom(queued, bytes)
    const { clock, recordingUrls: urls } = this.#options
    const body = hasRoom(0) ? messageBody(row, message, { timestamp: clock.now(), urls, hasRoom }) : ''
    const bytes = Buffer.byteLength(body)
    if (!hasRoom(bytes)) this.#drop(queue, queued, { type, callType: row.type })
    else {
      const call = { id, assistant_id, phone_number_id, squad_id }
      const through = own && isOfAnswer(row) ? this.#options.guardedFetch : undefined
      queue.add(queued, bytes, () => this.#deliver(to, call, { type, body, through }))
    }
  }

  /** Warns at the first drop, of what comes often and of the rest, and again only after the queue was empty. */
  #drop(queue: MessageQueue, queued: QueuedMessage, about: { type: string; callType: string }): void {
    if (queue.drop(queued))
      this.#options.logger.warn(
        { callId: queued.callId, ...about, waiting: queue.length },
        'server messages dropped: too many wait',
      )
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
    call: LoggedCall,
    { type, body, through }: { type: string; body: string; through: typeof fetch | undefined },
  ): Promise<void> {
    const { clock, watch } = this.#options
    const at = clock.now()
    const { delivered, tries, status, failure } = await this.#post.send(server, body, through)
    const seconds = Math.max(0, clock.now() - at) / 1000
    watch?.posted(call, { type, server: server.url, at, seconds, status, failure })
    const callId = call.id
    const { logger } = this.#options
    if (delivered) return
    if (status !== undefined) logger.warn({ callId, type, tries, status }, 'server message refused')
    else logger.warn({ callId, type, tries, err: failure }, 'server message not delivered')
  }
}

/** Whether the assistant, or part of it, was named by the server of one of our numbers, which may be anybody's. */
const isOfAnswer = ({ type, assistant_given, overrides, script, squad_id, workflow_id }: CallRow): boolean =>
  type === 'inboundPhoneCall' &&
  (assistant_given !== null ||
    overrides?.server !== undefined ||
    (script !== null && squad_id === null && workflow_id === null))

/** Messages that a caller has sent as often as he speaks or types. */
const COMES_OFTEN: ReadonlySet<string> = new Set(['transcript'])

/** Messages that are sent only where `serverMessages` has one of these names. */
const ASKED_FOR: Readonly<Record<string, readonly string[]>> = {
  transcript: ['transcript', 'transcript[transcriptType="final"]', "transcript[transcriptType='final']"],
}

function wanted({ serverMessages }: CreateAssistant, type: string): boolean {
  const names = ASKED_FOR[type]
  if (serverMessages === undefined) return names === undefined
  return (names ?? [type]).some((name) => serverMessages.includes(name))
}

function report(row: CallRow, urls: RecordingUrls | undefined): ServerMessage {
  const { started_at, ended_at } = row
  const seconds = started_at && ended_at ? (ended_at.getTime() - started_at.getTime()) / 1000 : 0
  return {
    type: 'end-of-call-report',
    endedReason: row.ended_reason ?? 'unknown-error',
    ...(started_at && { startedAt: started_at.toISOString() }),
    ...(ended_at && { endedAt: ended_at.toISOString() }),
    durationSeconds: seconds,
    cost: totalOf(row.costs ?? []),
    costs: row.costs ?? [],
    artifact: { ...artifactOf(row), ...recordingOf(row, urls) },
    analysis: row.analysis ?? {},
  }
}
