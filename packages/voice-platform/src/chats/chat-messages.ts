import type { Clock } from '@heyline/kit/clock'
import type { Chat, CreateAssistant } from '@heyline/platform-client'
import type { Logger } from 'pino'
import { chatMessageBody } from '../calls/message-body.js'
import { MessagePost } from '../calls/message-post.js'
import { MessageQueue } from '../calls/message-queue.js'
import { type MessageServer, ownServer } from '../calls/message-server.js'

export interface ChatMessagesOptions {
  /** For assistants that name no server of their own. */
  server?: MessageServer | undefined
  fetch: typeof fetch
  clock: Clock
  logger: Logger
}

/** Tells an assistant's server, or else the installation's, of chats: `chat.created` and `chat.deleted`, where `serverMessages` names them. */
export class ChatMessages {
  readonly #options: ChatMessagesOptions
  readonly #post: MessagePost
  readonly #queue = new MessageQueue()

  constructor(options: ChatMessagesOptions) {
    this.#options = options
    this.#post = new MessagePost(options)
  }

  tell(type: 'chat.created' | 'chat.deleted', chat: Chat, assistant: CreateAssistant): void {
    const own = ownServer(assistant)
    const to = own ?? this.#options.server
    if (!to || !(assistant.serverMessages ?? []).some((name) => name === type)) return
    const body = chatMessageBody({ chat, assistant }, { type, chat }, this.#options.clock.now())
    const bytes = Buffer.byteLength(body)
    const { logger } = this.#options
    const queued = { callId: chat.id, server: own?.url }
    if (this.#queue.hasRoom(queued, bytes))
      this.#queue.add(queued, bytes, () => this.#deliver(to, chat.id, type, body))
    else if (this.#queue.drop(queued))
      logger.warn({ chatId: chat.id, type }, 'messages about chats dropped: too many wait')
  }

  /** Tries each waiting message once more. */
  async close(): Promise<void> {
    const isOver = this.#post.close()
    await this.#queue.idle()
    isOver()
  }

  /** Never rejects. */
  async #deliver(to: MessageServer, chatId: string, type: string, body: string): Promise<void> {
    const { delivered, tries, status, failure } = await this.#post.send(to, body)
    if (!delivered)
      this.#options.logger.warn({ chatId, type, tries, status, err: failure }, 'server message not delivered')
  }
}
