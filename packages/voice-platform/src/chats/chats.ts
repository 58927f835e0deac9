import { randomUUID } from 'node:crypto'
import type { Queryable } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import type {
  AssistantOverrides,
  Chat,
  ChatInput,
  ChatMessage,
  CreateAssistant,
  Customer,
} from '@heyline/platform-client'
import type { Logger } from 'pino'
import type { AssistantStore } from '../assistants/assistant-store.js'
import { callVariables } from '../assistants/call-variables.js'
import { sessionAssistant, withOverrides } from '../assistants/session-assistant.js'
import { modelCost, type Prices } from '../calls/call-costs.js'
import { EngineError, type Model, type ModelMessage } from '../engines/engine.js'
import { EngineUsage } from '../engines/engine-usage.js'
import { CallKnowledge } from '../knowledge/call-knowledge.js'
import { ApiError } from '../resources/api-error.js'
import { type ChatHistory, chatHistory } from './chat-history.js'
import { type GivenInput, MOST_HISTORY, messagesOf, modelMessages, writtenMessage } from './chat-message.js'
import type { ChatMessages } from './chat-messages.js'
import { type ChatRow, chatView } from './chat-row.js'
import type { ChatSessions } from './chat-sessions.js'
import type { ChatStore } from './chat-store.js'
import { type ChatToolsOptions, chatTools } from './chat-tools.js'
import { type ChatPiece, takeTurn } from './chat-turn.js'

/** Longest that an answer takes, in milliseconds. */
const LONGEST_MS = 120_000
/** Most chats of a process at once. */
const MOST_AT_ONCE = 100
const RETRY_AFTER_SECONDS = 5

export interface ChatsOptions extends ChatToolsOptions {
  db: Queryable
  model: Model
  assistants: AssistantStore
  store: ChatStore
  sessions: ChatSessions
  messages: ChatMessages
  /** Without them costs are not counted. */
  prices?: Prices | undefined
  clock: Clock
  logger: Logger
}

/** What a chat is begun with, whoever asks. */
export interface ChatStart {
  input: GivenInput
  history: ChatHistory
  assistantId?: string | undefined
  assistantGiven?: CreateAssistant | undefined
  assistant: CreateAssistant
  overrides?: AssistantOverrides | undefined
  customer?: Customer | undefined
  name?: string | undefined
  /** Its messages go on in a stored session, too. */
  isInSession?: boolean
  isStreamed: boolean
  /** Most characters that the model reads beside its prompt. */
  mostHistory?: number
  /** Whose own files it looks things up in. */
  visitor?: () => Promise<string | undefined>
}

/** An answer on its way. It has to be read to its end, or returned. */
export interface RunningChat {
  id: string
  sessionId?: string
  createdAt: Date
  answer: AsyncGenerator<ChatPiece, Chat>
}

/** Answers in writing: the assistants of calls, with their prompts, tools and knowledge. */
export class Chats {
  readonly #options: ChatsOptions
  readonly #closed = new AbortController()
  readonly #running = new Set<Promise<void>>()

  constructor(options: ChatsOptions) {
    this.#options = options
  }

  /** Rejects with an `ApiError`: 503 where too many go on. `gone` ends it at once. */
  begin(start: ChatStart, gone: AbortSignal): RunningChat {
    if (this.#closed.signal.aborted || this.#running.size >= MOST_AT_ONCE)
      throw new ApiError(503, 'Too many chats go on at once. Try again in a moment.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    const id = randomUUID()
    const { sessionId } = start.history
    const createdAt = new Date(this.#options.clock.now())
    const answer = this.#answer(id, createdAt, start, gone)
    return { id, createdAt, ...(sessionId !== undefined && { sessionId }), answer }
  }

  /** What a chat of the private key goes on from. */
  historyOf(body: {
    sessionId?: string | undefined
    previousChatId?: string | undefined
  }): Promise<ChatHistory> {
    return chatHistory(body, this.#options)
  }

  async delete(id: string): Promise<Chat | undefined> {
    const { store, messages, assistants } = this.#options
    const row = await store.delete(id)
    if (!row) return undefined
    const { assistant_id, assistant_given, overrides } = row
    const own = assistant_given ?? (assistant_id !== null && (await assistants.find(assistant_id)))
    if (own) messages.tell('chat.deleted', chatView(row), withOverrides(own, overrides ?? undefined))
    return chatView(row)
  }

  /** Ends those that go on, and sends what waits. */
  async close(): Promise<void> {
    this.#closed.abort(new ApiError(503, 'This server is about to stop. Ask again.'))
    await Promise.all(this.#running)
    await this.#options.messages.close()
  }

  async *#answer(
    id: string,
    createdAt: Date,
    start: ChatStart,
    gone: AbortSignal,
  ): AsyncGenerator<ChatPiece, Chat> {
    let isOver = () => {}
    const over = new Promise<void>((resolve) => {
      isOver = resolve
    })
    this.#running.add(over)
    const late = new AbortController()
    const stop = this.#options.clock.after(LONGEST_MS, () =>
      late.abort(new ApiError(503, 'The answer took too long. Ask again.')),
    )
    try {
      const signal = AbortSignal.any([gone, late.signal, this.#closed.signal])
      return yield* this.#written(id, createdAt, start, signal)
    } catch (error) {
      throw this.#failure(error, id)
    } finally {
      stop()
      this.#running.delete(over)
      isOver()
    }
  }

  async *#written(
    id: string,
    createdAt: Date,
    start: ChatStart,
    signal: AbortSignal,
  ): AsyncGenerator<ChatPiece, Chat> {
    const { model, prices, db, clock } = this.#options
    const logger = this.#options.logger.child({ chatId: id })
    const { assistant, history, customer, overrides } = start
    const row = this.#rowOf(id, createdAt, start)
    const variables = callVariables({ overrides, customer, conversationType: 'chat' }, createdAt)
    const tools = await chatTools(this.#options, { chat: chatView(row), assistant }, variables)
    const usage = new EngineUsage()
    const knowledgeBaseId = assistant.model?.knowledgeBaseId
    const scope = { knowledgeBaseId, ...(start.visitor && { visitor: start.visitor }) }
    const knows = knowledgeBaseId !== undefined || start.visitor !== undefined
    const counted = usage.ofModel(model)
    const before = [...history.messages, ...messagesOf(start.input)]
    const output = yield* takeTurn({
      assistant: sessionAssistant(assistant, variables, []),
      model: knows ? new CallKnowledge({ db, scope, clock, logger }).model(counted) : counted,
      ...{ tools, messages: modelMessages(before, start.mostHistory ?? MOST_HISTORY), logger, signal },
    })
    const { provider, model: name } = assistant.model ?? {}
    const named = { ...(provider !== undefined && { provider }), ...(name !== undefined && { model: name }) }
    const costs = prices ? [{ type: 'model' as const, ...modelCost(prices, named, usage) }] : null
    return await this.#store({ ...row, costs }, output, start)
  }

  async #store(row: ChatRow, output: readonly ModelMessage[], start: ChatStart): Promise<Chat> {
    const { store, sessions, messages, db, logger } = this.#options
    const written = output.map(writtenMessage)
    const stored = chatView(await store.add({ ...row, output: written }))
    if (start.isInSession && row.session_id !== null) {
      const said = messagesOf(start.input) as ChatMessage[]
      if (!(await sessions.add(db, row.session_id, [...said, ...written])))
        logger.warn(
          { chatId: row.id },
          'a session is full or gone: the chat is stored, and the session does not have it',
        )
    }
    messages.tell('chat.created', stored, start.assistant)
    return stored
  }

  #rowOf(id: string, createdAt: Date, start: ChatStart): ChatRow {
    const { history, assistantId, assistantGiven, overrides, name } = start
    return {
      ...{ id, org_id: '', name: name ?? null, is_streamed: start.isStreamed },
      assistant_id: assistantId ?? null,
      assistant_given: assistantGiven ?? null,
      overrides: overrides ?? null,
      session_id: history.sessionId ?? null,
      previous_chat_id: history.previousChatId ?? null,
      input: start.input as ChatInput,
      messages: history.messages as ChatMessage[],
      ...{ output: [], costs: null, created_at: createdAt, updated_at: createdAt },
    }
  }

  /** What whoever asked is told. An engine's own error may show what is nobody's business. */
  #failure(error: unknown, chatId: string): unknown {
    if (!(error instanceof EngineError)) return error
    this.#options.logger.error({ chatId, err: error }, 'a chat was not answered')
    return new ApiError(503, 'The language model could not answer now. Try again in a moment.', {
      cause: error,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    })
  }
}
