import type { AssistantOverrides, CreateAssistant } from './assistant.js'
import type { ChatCost, ModelCost } from './call-cost.js'
import type { ChatInput, ChatMessage } from './chat-message.js'
import type { PageQuery } from './page.js'

/** Who answers a chat, and how it is stored. */
interface ChatSettings {
  assistantId?: string
  assistant?: CreateAssistant
  /** Chats take its `variableValues` only. */
  assistantOverrides?: AssistantOverrides
  /** At most 40 characters. */
  name?: string
}

/** What a chat goes on from: a session or another chat. The platform refuses both together. */
type ChatContext =
  | {
      /** Goes on with this session. Not together with `previousChatId`. */
      sessionId?: string
      previousChatId?: never
    }
  | {
      /** Goes on from the messages of this chat. Not together with `sessionId`. */
      previousChatId?: string
      sessionId?: never
    }

/** Body of `chats.create` and `chats.stream`. `sessionId` and `previousChatId` exclude each other. */
export type CreateChat = ChatSettings & ChatContext & { input: ChatInput }

/** One turn of a written conversation. */
export interface Chat extends ChatSettings {
  id: string
  orgId: string
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
  sessionId?: string
  previousChatId?: string
  stream?: boolean
  input?: ChatInput
  /** The conversation before `input`. */
  messages?: ChatMessage[]
  /** What the assistant answered. */
  output?: ChatMessage[]
  /** US dollars. */
  cost?: number
  costs?: (ModelCost | ChatCost)[]
}

/** A piece of a streamed chat. */
export interface ChatDelta {
  /** Of the streamed answer. */
  id: string
  /** What the piece belongs to: `chat.output[0].content` is the first message of the answer. */
  path: string
  /** To be added to what came before at the same path. */
  delta: string
  sessionId?: string
}

/** Query of `chats.list` and `chats.pages`. */
export interface ListChats extends PageQuery {
  assistantId?: string
  workflowId?: string
  sessionId?: string
}
