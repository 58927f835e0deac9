import type { Chat } from './chat.js'
import type { MessageContext } from './message-context.js'
import type { Session } from './session.js'

/** A chat was stored or deleted. */
export interface ChatChange extends MessageContext {
  type: 'chat.created' | 'chat.deleted'
  chat: Chat
}

/** A session was stored, changed or deleted. */
export interface SessionChange extends MessageContext {
  type: 'session.created' | 'session.updated' | 'session.deleted'
  session: Session
}

/** A call's deletion succeeded or failed. */
export interface CallDeletion extends MessageContext {
  type: 'call.deleted' | 'call.delete.failed'
}

/** What became of a stored record. */
export type RecordMessage = ChatChange | SessionChange | CallDeletion
