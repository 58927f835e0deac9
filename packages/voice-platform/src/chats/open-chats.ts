import type { ChatMessagesOptions } from './chat-messages.js'
import { ChatMessages } from './chat-messages.js'
import { ChatSessions } from './chat-sessions.js'
import { ChatStore } from './chat-store.js'
import { Chats, type ChatsOptions } from './chats.js'
import { WebChats, type WebChatsOptions } from './web-chats.js'

type Made = 'store' | 'sessions' | 'messages' | 'chats'
export type OpenChatsOptions = Omit<ChatsOptions & WebChatsOptions & ChatMessagesOptions, Made>

/** What answers in writing, on the platform's database. `chats` has to be closed. */
export function openChats(options: OpenChatsOptions) {
  const store = new ChatStore(options.db)
  const sessions = new ChatSessions(options.db)
  const messages = new ChatMessages(options)
  const chats = new Chats({ ...options, store, sessions, messages })
  return { chats, chatStore: store, webChats: new WebChats({ ...options, chats, store }) }
}
