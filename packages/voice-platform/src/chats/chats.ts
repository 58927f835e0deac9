import { randomUUID } from 'node:crypto'
import type { Chat } from '@heyline/platform-client'
import type { AssistantStore } from '../assistants/assistant-store.js'
import { withOverrides } from '../assistants/session-assistant.js'
import { EngineError } from '../engines/engine.js'
import { ApiError } from '../resources/api-error.js'
import { type ChatHistory, chatHistory } from './chat-history.js'
import { chatView } from './chat-row.js'
import type { ChatPiece } from './chat-turn.js'
import { type ChatStart, ChatWriting, type ChatWritingOptions } from './chat-writing.js'

/** Longest that an answer takes, in milliseconds. */
const LONGEST_MS = 120_000
/** Most chats of a process at once. */
const MOST_AT_ONCE = 100
const RETRY_AFTER_SECONDS = 5

export interface ChatsOptions extends ChatWritingOptions {
  assistants: AssistantStore
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
  readonly #writing: ChatWriting
  readonly #closed = new AbortController()
  readonly #running = new Set<Promise<void>>()

  constructor(options: ChatsOptions) {
    this.#options = options
    this.#writing = new ChatWriting(options)
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
      return yield* this.#writing.answer({ id, createdAt, start, signal })
    } catch (error) {
      throw this.#failure(error, id)
    } finally {
      stop()
      this.#running.delete(over)
      isOver()
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
