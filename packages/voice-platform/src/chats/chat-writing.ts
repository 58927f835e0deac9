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
import { callVariables } from '../assistants/call-variables.js'
import { sessionAssistant } from '../assistants/session-assistant.js'
import { modelCost, type Prices } from '../calls/call-costs.js'
import type { Model, ModelMessage } from '../engines/engine.js'
import { EngineUsage } from '../engines/engine-usage.js'
import { CallKnowledge } from '../knowledge/call-knowledge.js'
import type { KnowledgeBaseStore } from '../knowledge/knowledge-base-store.js'
import type { PassageSearch } from '../knowledge/passage-search.js'
import { ApiError } from '../resources/api-error.js'
import type { ChatHistory } from './chat-history.js'
import {
  type GivenInput,
  latestOf,
  MOST_HISTORY,
  messagesOf,
  modelMessages,
  writtenMessage,
} from './chat-message.js'
import type { ChatMessages } from './chat-messages.js'
import { type ChatRow, chatView } from './chat-row.js'
import type { ChatSessions } from './chat-sessions.js'
import type { ChatStore } from './chat-store.js'
import { type ChatToolsOptions, chatTools } from './chat-tools.js'
import { type ChatPiece, takeTurn } from './chat-turn.js'

/** Most uses of tools for one answer. */
const MOST_TOOL_USES = 50

export interface ChatWritingOptions extends ChatToolsOptions {
  db: Queryable
  passages: PassageSearch
  bases: KnowledgeBaseStore
  model: Model
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
  /** A page has chosen the values in the overrides, and who the customer is. */
  isPublic?: boolean
  /** A member below admin has named the customer. */
  isCustomerOfMember?: boolean
  /** Most characters that the model reads beside its prompt. */
  mostHistory?: number
  mostToolUses?: number
  /** The model has begun to write. */
  onWritten?: () => void
  /** Whose own files it looks things up in. */
  visitor?: () => Promise<string | undefined>
}

export interface AskedAnswer {
  id: string
  createdAt: Date
  start: ChatStart
  /** Ends it at once. */
  signal: AbortSignal
}

/** Writes answers with the assistant's prompt, tools and knowledge, and stores them. */
export class ChatWriting {
  readonly #options: ChatWritingOptions

  constructor(options: ChatWritingOptions) {
    this.#options = options
  }

  /** Writes and stores one answer. Rejects with the engine's error, or the signal's reason. */
  async *answer({ id, createdAt, start, signal }: AskedAnswer): AsyncGenerator<ChatPiece, Chat> {
    const { model, prices, db, passages, bases, callTools, clock, store } = this.#options
    const logger = this.#options.logger.child({ chatId: id })
    const { assistant, history, customer, overrides } = start
    const row = this.#rowOf(id, createdAt, start)
    const facts = { overrides, customer, conversationType: 'chat' } as const
    const texts = callVariables(facts, createdAt)
    const writing = { chat: chatView({ ...row, org_id: await store.orgId() }), assistant }
    const { isPublic = false, isCustomerOfMember = false } = start
    const values = { facts, texts, isPublic, isCustomerOfMember }
    const tools = await chatTools(this.#options, writing, values)
    const usage = new EngineUsage()
    const { knowledgeBaseId, knowledgeBase } = assistant.model ?? {}
    const scope = { knowledgeBaseId, knowledgeBase, ...(start.visitor && { visitor: start.visitor }) }
    const knows = [knowledgeBaseId, knowledgeBase, start.visitor].some((one) => one !== undefined)
    const servers = { bases, ask: callTools.asker(writing) }
    const counted = usage.ofModel(model)
    const before = [...history.messages, ...messagesOf(start.input)]
    const output = yield* takeTurn({
      assistant: sessionAssistant(assistant, texts, []),
      model: knows
        ? new CallKnowledge({ db, passages, servers, scope, clock, logger }).model(counted)
        : counted,
      ...{ tools, messages: modelMessages(before, start.mostHistory ?? MOST_HISTORY), logger, signal },
      mostToolUses: start.mostToolUses ?? MOST_TOOL_USES,
      ...(start.onWritten && { onWritten: start.onWritten }),
    })
    const { provider, model: name } = assistant.model ?? {}
    const named = { ...(provider !== undefined && { provider }), ...(name !== undefined && { model: name }) }
    const costs = prices ? [{ type: 'model' as const, ...modelCost(prices, named, usage) }] : null
    return await this.#store({ ...row, costs }, output, start)
  }

  async #store(
    row: Omit<ChatRow, 'org_id'>,
    output: readonly ModelMessage[],
    start: ChatStart,
  ): Promise<Chat> {
    const { store, sessions, messages, db, logger } = this.#options
    const written = output.map(writtenMessage)
    const added = await store.add({ ...row, output: written })
    if (!added)
      throw new ApiError(404, 'What this chat goes on from was erased while it was answered. Begin another.')
    const stored = chatView(added)
    if (start.isInSession && row.session_id !== null) {
      const said = messagesOf(start.input) as ChatMessage[]
      if (!(await sessions.add(db, row.session_id, [...said, ...written])))
        logger.warn(
          { chatId: row.id },
          'a session is full, or was just removed: it does not have what was said',
        )
    }
    messages.tell('chat.created', stored, start.assistant)
    return stored
  }

  #rowOf(id: string, createdAt: Date, start: ChatStart): Omit<ChatRow, 'org_id'> {
    const { history, assistantId, assistantGiven, overrides, name } = start
    return {
      ...{ id, name: name ?? null, is_streamed: start.isStreamed },
      is_public: start.isPublic ?? false,
      assistant_id: assistantId ?? null,
      assistant_given: assistantGiven ?? null,
      overrides: overrides ?? null,
      session_id: history.sessionId ?? null,
      previous_chat_id: history.previousChatId ?? null,
      input: start.input as ChatInput,
      // As much as a model may read: each chat of a long conversation would have all of it.
      messages: latestOf(history.messages) as ChatMessage[],
      ...{ output: [], costs: null, created_at: createdAt, updated_at: createdAt },
    }
  }
}
