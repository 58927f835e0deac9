import { randomUUID } from 'node:crypto'
import type { Clock } from '@heyline/kit/clock'
import { hashOf, newSecret } from '@heyline/kit/secret'
import type { Call } from '@heyline/platform-client'
import type { Logger } from 'pino'
import type { AssistantStore } from '../assistants/assistant-store.js'
import { callVariables } from '../assistants/call-variables.js'
import { sessionAssistant } from '../assistants/session-assistant.js'
import type { Engines } from '../engines/engine.js'
import type { Link } from '../link/link.js'
import type { Retries } from '../work/retries.js'
import { findCallAssistant } from './call-assistant.js'
import type { CallProgress } from './call-progress.js'
import type { CreateWebCallBody } from './call-request.js'
import type { CallRow } from './call-row.js'
import type { CallStore } from './call-store.js'
import { callView } from './call-view.js'
import type { Conversations } from './conversations.js'
import { roomAddress } from './room-address.js'

/** How long a web call waits for its customer, in seconds, by default (the platform's own). */
const JOIN_SECONDS = 15

/** The platform's reason for a customer who never came, or came without a microphone. */
const NOBODY_CAME = 'assistant-did-not-receive-customer-audio'

export interface WebCallsOptions {
  store: CallStore
  assistants: AssistantStore
  progress: CallProgress
  retries: Retries
  conversations: Conversations
  engines: Engines
  publicUrl: string
  clock: Clock
  logger: Logger
}

/** Calls in a browser. Each has a room with one seat, and only the answer to the request has its address. */
export class WebCalls {
  readonly #options: WebCallsOptions
  readonly #waiting = new Map<string, () => void>()

  constructor(options: WebCallsOptions) {
    this.#options = options
  }

  /** Rejects with an `ApiError`. `trusted`: the request came with the private key. */
  async create(body: CreateWebCallBody, { trusted }: { trusted: boolean }): Promise<Call> {
    const { assistants, engines, store, clock, publicUrl, logger } = this.#options
    const chosen = await findCallAssistant(body, { assistants, trusted })
    const variables = callVariables(chosen, new Date(clock.now()))
    const { firstMessage } = sessionAssistant(chosen.assistant, variables)
    if (firstMessage) engines.voice.prepare?.(firstMessage)
    const secret = newSecret()
    const joinMs = (chosen.assistant.customerJoinTimeoutSeconds ?? JOIN_SECONDS) * 1000
    const row = await store.insert({
      id: randomUUID(),
      type: 'webCall',
      ...chosen,
      room: { secretHash: hashOf(secret), expiresAt: new Date(clock.now() + joinMs) },
    })
    this.#awaitCustomer(row.id, joinMs)
    logger.info({ callId: row.id }, 'web call created')
    return {
      ...callView(row),
      webCallUrl: roomAddress(publicUrl, row.id, secret),
      // The engine's voice speaks, whatever provider the assistant names. Nothing else of a stored assistant is shown,
      // since the public key gets this answer.
      assistant: { ...chosen.assistantGiven, voice: { provider: engines.voice.name } },
    }
  }

  /** Somebody has come into the room of a web call. */
  joined(call: CallRow, link: Link): void {
    this.#stopWaiting(call.id)
    void this.#options.conversations.begin(call.id, link)
  }

  close(): void {
    for (const stop of this.#waiting.values()) stop()
    this.#waiting.clear()
  }

  #awaitCustomer(callId: string, ms: number): void {
    const { progress, retries, clock, logger } = this.#options
    const expire = () => {
      this.#waiting.delete(callId)
      const end = () => progress.endUnanswered(callId, NOBODY_CAME)
      const failed = (error: unknown) =>
        logger.warn({ callId, err: error }, 'web call that nobody joined not ended yet; it is tried again')
      retries.run(end, failed).catch((error: unknown) => {
        logger.error({ callId, err: error }, 'web call that nobody joined was not ended')
      })
    }
    this.#waiting.set(callId, clock.after(ms, expire))
  }

  #stopWaiting(callId: string): void {
    this.#waiting.get(callId)?.()
    this.#waiting.delete(callId)
  }
}
