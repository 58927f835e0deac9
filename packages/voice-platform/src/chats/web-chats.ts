import { randomUUID } from 'node:crypto'
import type { Queryable } from '@heyline/database'
import type { Place } from '@heyline/kit/fair-line'
import type { Logger } from 'pino'
import type { AssistantStore } from '../assistants/assistant-store.js'
import { callVariables } from '../assistants/call-variables.js'
import { findCallAssistant } from '../calls/call-assistant.js'
import { type PublicWebCalls, refuseGrownPrompt } from '../calls/public-calls.js'
import { ApiError } from '../resources/api-error.js'
import { saidIn } from './chat-history.js'
import type { CreateWebChatBody } from './chat-request.js'
import type { ChatStore } from './chat-store.js'
import type { Chats, RunningChat } from './chats.js'

/** Most characters that the model reads of the conversation with each turn. */
const MOST_HISTORY = 20_000
/** Most uses of tools for one answer. */
const MOST_TOOL_USES = 4
/** Most turns of a conversation, and fewer where calls are short: all together read about what the longest call would. */
const MOST_TURNS = 26
const SECONDS_A_TURN = 24
/** How long a conversation may be gone on with. */
const HOURS = 24
/** How long it stands: the last answer has time to be stored. */
const HOURS_KEPT = 25
/** Most answers of a process to strangers at once, and of those to one network. */
const MOST_AT_ONCE = 20
const MOST_OF_NETWORK = 3
const RETRY_AFTER_SECONDS = 5

export interface WebChatsOptions {
  db: Queryable
  chats: Chats
  store: ChatStore
  assistants: AssistantStore
  /** Admits strangers: a conversation counts as a call in the browser. */
  publicCalls: PublicWebCalls
  /** Where a request comes from; all come from one network where it is left out. */
  placeOf?: ((request: Request) => Place) | undefined
  /** Whose call or conversation it is. */
  visitorOf?: ((id: string) => Promise<string | undefined>) | undefined
  logger: Logger
}

/**
 * Conversations in writing that pages have with stored assistants. A stranger's is admitted once, as a call in the browser would be, where
 * there is money for all of it; then it has so many turns, and pays for each. It is known by its random id alone, and nothing but its own words is in it.
 */
export class WebChats {
  readonly #options: WebChatsOptions
  /** Of strangers that are answered: the network of each. */
  readonly #strangers: string[] = []
  /** Conversations in which an answer is written: the next turn reads it. */
  readonly #answering = new Set<string>()

  constructor(options: WebChatsOptions) {
    this.#options = options
  }

  /** Rejects with an `ApiError`. The body was checked. */
  async begin(
    request: Request,
    body: CreateWebChatBody,
    isStranger: boolean,
    gone: AbortSignal,
  ): Promise<RunningChat> {
    if (!isStranger) return await this.#begin(request, body, false, gone)
    const network = this.#options.placeOf?.(request).network ?? ''
    const { sessionId = '' } = body
    const retryAfterSeconds = RETRY_AFTER_SECONDS
    if (this.#answering.has(sessionId))
      throw new ApiError(429, 'This chat is being answered. Wait for that.', { retryAfterSeconds })
    const ofNetwork = this.#strangers.filter((one) => one === network).length
    if (this.#strangers.length >= MOST_AT_ONCE || ofNetwork >= MOST_OF_NETWORK)
      throw new ApiError(503, 'Too many chats go on at once. Try again in a moment.', { retryAfterSeconds })
    this.#strangers.push(network)
    if (sessionId) this.#answering.add(sessionId)
    const over = () => {
      this.#strangers.splice(this.#strangers.indexOf(network), 1)
      this.#answering.delete(sessionId)
    }
    try {
      const running = await this.#begin(request, body, true, gone)
      return { ...running, answer: this.#counted(running.answer, gone, over) }
    } catch (error) {
      over()
      throw error
    }
  }

  /** It counts until it is over, or its client has gone. */
  async *#counted(answer: RunningChat['answer'], gone: AbortSignal, over: () => void): RunningChat['answer'] {
    try {
      gone.throwIfAborted()
      return yield* answer
    } finally {
      over()
    }
  }

  async #begin(
    request: Request,
    body: CreateWebChatBody,
    isStranger: boolean,
    gone: AbortSignal,
  ): Promise<RunningChat> {
    const { assistants, chats, publicCalls, visitorOf } = this.#options
    const { assistantId, assistantOverrides, customer, input } = body
    const chosen = await findCallAssistant({ assistantId, assistantOverrides }, assistants)
    const facts = { overrides: chosen.overrides, customer: customer && named(customer) }
    // Filling a prompt takes milliseconds: a stranger has paid for it by a turn or an admission.
    const check = () => refuseGrownPrompt(chosen, callVariables(facts, new Date()))
    if (isStranger) await publicCalls.refuseStopped()
    const known = body.sessionId === undefined ? undefined : await this.#goOn(body.sessionId, assistantId)
    if (known) check()
    if (known && isStranger) await publicCalls.payTurn(known, SECONDS_A_TURN)
    const sessionId = known ?? (await this.#open(request, assistantId, { isStranger, check }))
    const last = known === undefined ? undefined : await this.#options.store.lastOf(known)
    return chats.begin(
      {
        ...{
          input,
          assistantId,
          assistant: chosen.assistant,
          ...facts,
          isStreamed: body.stream ?? false,
          isOfPage: true,
        },
        history: { messages: last ? saidIn(last).filter(isSaid) : [], sessionId },
        ...{ mostHistory: MOST_HISTORY, mostToolUses: MOST_TOOL_USES },
        ...(visitorOf && { visitor: () => visitorOf(sessionId) }),
      },
      gone,
    )
  }

  /** Takes a turn of a conversation with this assistant. Undefined: there is none, it is old, or it has no turn left. */
  async #goOn(sessionId: string, assistantId: string): Promise<string | undefined> {
    const { rows } = await this.#options.db.query<{ session_id: string }>(
      `update voice_platform.web_chats set turns_left = turns_left - 1
       where session_id = $1 and assistant_id = $2 and turns_left > 0 and created_at > now() - interval '${HOURS} hours'
       returning session_id`,
      [sessionId, assistantId],
    )
    return rows[0]?.session_id
  }

  /** Begins a conversation. Its first turn is taken. */
  async #open(
    request: Request,
    assistantId: string,
    { isStranger, check }: { isStranger: boolean; check: () => void },
  ): Promise<string> {
    const { publicCalls, db, logger } = this.#options
    const sessionId = randomUUID()
    const admission = isStranger ? await publicCalls.admit(request) : undefined
    const turns = admission ? Math.floor(admission.maxSeconds / SECONDS_A_TURN) : MOST_TURNS
    try {
      check()
      await db.query(
        `delete from voice_platform.web_chats where created_at < now() - interval '${HOURS_KEPT} hours'`,
        [],
      )
      await db.query(
        'insert into voice_platform.web_chats (session_id, assistant_id, turns_left) values ($1, $2, $3)',
        [sessionId, assistantId, Math.max(0, Math.min(MOST_TURNS, turns) - 1)],
      )
      // A conversation that nobody counts must not begin.
      await admission?.started(sessionId, SECONDS_A_TURN)
      return sessionId
    } catch (error) {
      await admission?.failed().catch((failure: unknown) => {
        logger.error({ err: failure }, 'the end of an admission was not stored')
      })
      throw error
    }
  }
}

/** A customer as a page names one: for the assistant's texts. */
const named = (customer: NonNullable<CreateWebChatBody['customer']>) =>
  Object.fromEntries(Object.entries(customer).filter(([, value]) => value !== undefined))

/** What tools gave is read in its own turn alone. */
const isSaid = (message: { role: string; content?: unknown }): boolean =>
  message.role !== 'tool' && (message.role !== 'assistant' || Boolean(message.content))
