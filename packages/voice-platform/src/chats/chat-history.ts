import type { AssistantOverrides, CreateAssistant, Customer } from '@heyline/platform-client'
import { ApiError } from '../resources/api-error.js'
import { messagesOf, storedMessages } from './chat-message.js'
import type { ChatRow } from './chat-row.js'
import type { ChatSessions } from './chat-sessions.js'
import type { ChatStore } from './chat-store.js'

/** What a chat goes on from: what was said before, and who answered. */
export interface ChatHistory {
  messages: ReturnType<typeof storedMessages>
  sessionId?: string
  previousChatId?: string
  customer?: Customer
  /** A member below admin has named that one. */
  isCustomerOfMember?: boolean
  assistantId?: string
  assistantGiven?: CreateAssistant
  overrides?: AssistantOverrides
  /** A page has chosen the values in the overrides. */
  isPublic?: boolean
}

/** All that was said up to the end of this chat. */
export const saidIn = ({ messages, input, output }: ChatRow): ReturnType<typeof storedMessages> => [
  ...storedMessages(messages),
  ...(typeof input === 'string' ? messagesOf(input) : storedMessages(input)),
  ...storedMessages(output),
]

/** Rejects with an `ApiError` 400 where it does not exist, or where both are named. */
export async function chatHistory(
  { sessionId, previousChatId }: { sessionId?: string | undefined; previousChatId?: string | undefined },
  { store, sessions }: { store: ChatStore; sessions: ChatSessions },
): Promise<ChatHistory> {
  if (sessionId !== undefined && previousChatId !== undefined)
    throw new ApiError(400, 'Only one of sessionId and previousChatId can be provided.')
  if (sessionId !== undefined) return { ...(await sessions.open(sessionId)), sessionId }
  if (previousChatId === undefined) return { messages: [] }
  const before = await store.get(previousChatId)
  if (!before) throw new ApiError(400, `Couldn't get chat: ${previousChatId} does not exist.`)
  const { assistant_id, assistant_given, overrides, is_public: isPublic } = before
  return {
    ...{ messages: saidIn(before), previousChatId },
    ...(assistant_id !== null && { assistantId: assistant_id }),
    ...(assistant_given && { assistantGiven: assistant_given }),
    ...(overrides && { overrides }),
    ...(isPublic && { isPublic }),
  }
}
