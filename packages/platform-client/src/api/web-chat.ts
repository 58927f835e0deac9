import type { ChatInput, ChatMessage } from './chat-message.js'
import type { Customer } from './customer.js'

/** What a chat in the browser can change about its assistant. */
export interface WebChatOverrides {
  /** Values of the `{{name}}` placeholders in prompts and messages. */
  variableValues?: Record<string, unknown>
}

/** Who chats. A customer who comes back is found again by it. */
export interface WebCustomer extends Omit<Customer, 'assistantOverrides'> {
  assistantOverrides?: WebChatOverrides
}

/** Body of `chats.createWeb` and `chats.streamWeb`. */
export interface CreateWebChat {
  assistantId: string
  assistantOverrides?: WebChatOverrides
  customer?: WebCustomer
  input: ChatInput
  /** Goes on with this session. Not set, or expired: a new one begins. */
  sessionId?: string
}

/** Body of `chats.createWebResponse` and `chats.streamWebResponse`. */
export type CreateWebChatResponse = CreateWebChat

/** The answer of a chat in the browser. */
export interface WebChat {
  id: string
  /** To be given with the next chat, which then goes on from here. */
  sessionId?: string
  /** What the assistant answered. */
  output: ChatMessage[]
}
