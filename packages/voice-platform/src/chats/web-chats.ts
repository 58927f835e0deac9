import { randomUUID } from 'node:crypto'
import type { Queryable } from '@heyline/database'
import type { Place } from '@heyline/kit/fair-line'
import type { Logger } from 'pino'
import type { AssistantStore } from '../assistants/assistant-store.js'
import { callVariables } from '../assistants/call-variables.js'
import { findCallAssistant } from '../calls/call-assistant.js'
import { type PublicWebCalls, refuseGrownPrompt } from '../calls/public-calls.js'
import { EngineError } from '../engines/engine.js'
import { ApiError } from '../resources/api-error.js'
import { saidIn } from './chat-history.js'
import type { CreateWebChatBody } from './chat-request.js'
import type { ChatStore } from './chat-store.js'
import type { Chats, RunningChat } from './chats.js'
import { WebChatTurns } from './web-chat-turns.js'

/** Most characters that the model reads of the conversation with each turn. */
const MOST_HISTORY = 20_000
/** Most uses of tools for one answer. */
const MOST_TOOL_USES = 4
/** Most turns of a conversation, and fewer where calls are short: all together read about what the longest call would. */
const MOST_TURNS = 26
const SECONDS_A_TURN = 24
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
 * there is money for all of it; then it has so many turns, and pays for each. It is known by its random id alone, and nothing but its own
 * words is in it.
 */
export class WebChats {
  readonly #options: WebChatsOptions
  /** Of strangers that are answered: the network of each. */
  readonly #strangers: string[] = []
  /** Conversations in which an answer is written: the next turn reads it. */
  readonly #answering = new Set<string>()
  readonly #turns: WebChatTurns

  constructor(options: WebChatsOptions) {
    this.#options = options
    this.#turns = new WebChatTurns(options.db)
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
      return { ...running, answer: this.#counted(running.answer, over) }
    } catch (error) {
      over()
      throw error
    }
  }

  /** It counts until it is over. */
  async *#counted(answer: RunningChat['answer'], over: () => void): RunningChat['answer'] {
    try {
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
    const { assistants, chats, store, publicCalls, visitorOf } = this.#options
    const { assistantId, assistantOverrides, customer, input } = body
    const chosen = await findCallAssistant({ assistantId, assistantOverrides }, assistants)
    const facts = { overrides: chosen.overrides, customer: customer && named(customer) }
    // Filling a prompt takes milliseconds: a stranger has paid for it by a turn or an admission.
    const check = () => refuseGrownPrompt(chosen, callVariables(facts, new Date()))
    if (isStranger) await publicCalls.refuseStopped()
    const known = body.sessionId === undefined ? undefined : await this.#goOn(body.sessionId, assistantId)
    if (known !== undefined) check()
    if (known !== undefined && isStranger) await this.#pay(known)
    const sessionId = known ?? (await this.#open(request, assistantId, { isStranger, check }))
    const isFirst = known === undefined && isStranger
    let isWritten = false
    const start = {
      ...{ input, assistantId, assistant: chosen.assistant, ...facts, isStreamed: body.stream ?? false },
      isPublic: isStranger,
      ...{ mostHistory: MOST_HISTORY, mostToolUses: MOST_TOOL_USES },
      ...(visitorOf && { visitor: () => visitorOf(sessionId) }),
      onWritten: () => {
        isWritten = true
      },
    }
    try {
      const last = known === undefined ? undefined : await store.lastOf(known)
      const history = { messages: last ? saidIn(last).filter(isSaid) : [], sessionId }
      const running = chats.begin({ ...start, history }, gone)
      if (!isStranger) return running
      const answer = this.#toStranger(running.answer, sessionId, {
        isFirst,
        gone,
        isWritten: () => isWritten,
      })
      return { ...running, answer }
    } catch (error) {
      if (isFirst) await this.#over(sessionId, true)
      throw error
    }
  }

  /** Pays for a turn that was taken. Where there is no money for it, it is given back: the page tries again, as it is told. */
  async #pay(sessionId: string): Promise<void> {
    try {
      await this.#options.publicCalls.payTurn(sessionId, SECONDS_A_TURN)
    } catch (error) {
      await this.#turns.giveBack(sessionId)
      throw error
    }
  }

  /** An answer for a stranger, unless that one has gone. Whoever admitted the conversation hears of the end of its first answer. */
  async *#toStranger(
    answer: RunningChat['answer'],
    sessionId: string,
    { isFirst, gone, isWritten }: { isFirst: boolean; gone: AbortSignal; isWritten(): boolean },
  ): RunningChat['answer'] {
    // Nothing was asked of the model yet.
    let isFree = true
    try {
      gone.throwIfAborted()
      isFree = false
      return yield* answer
    } catch (error) {
      // Who leaves, or writes so that the answer takes too long, has had the model work all the same.
      isFree ||= !isWritten() && error instanceof ApiError && error.cause instanceof EngineError
      throw error
    } finally {
      if (isFirst) await this.#over(sessionId, isFree)
    }
  }

  /** The first answer is over. `isFree`: no model has worked for it, so that its admission is taken back, and nobody goes on with it. Never rejects. */
  async #over(sessionId: string, isFree: boolean): Promise<void> {
    const { publicCalls, logger } = this.#options
    try {
      if (isFree) {
        await this.#turns.forget(sessionId)
        await publicCalls.chats.takenBack(sessionId)
      } else await publicCalls.chats.answered(sessionId)
    } catch (error) {
      logger.error({ err: error }, 'the end of a chat’s first answer was not stored')
    }
  }

  /** Takes a turn of a conversation with this assistant. Undefined: there is none, it is old, or it has no turn left. */
  async #goOn(sessionId: string, assistantId: string): Promise<string | undefined> {
    return (await this.#turns.take(sessionId, assistantId)) ? sessionId : undefined
  }

  /** Begins a conversation. Its first answer is taken. */
  async #open(
    request: Request,
    assistantId: string,
    { isStranger, check }: { isStranger: boolean; check: () => void },
  ): Promise<string> {
    const { publicCalls, logger } = this.#options
    const sessionId = randomUUID()
    const admission = isStranger ? await publicCalls.admit(request) : undefined
    const most = admission ? Math.floor(admission.maxSeconds / SECONDS_A_TURN) : MOST_TURNS
    try {
      check()
      await this.#turns.begin(sessionId, assistantId, Math.max(1, Math.min(MOST_TURNS, most)))
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
