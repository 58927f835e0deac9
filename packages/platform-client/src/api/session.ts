import type { CreateAssistant } from './assistant.js'
import type { ChatMessage } from './chat-message.js'
import type { Customer } from './customer.js'
import type { PageQuery } from './page.js'
import type { ImportTwilioPhoneNumber } from './phone-number.js'

/** Body of `sessions.update`. */
export interface UpdateSession {
  /** At most 40 characters. */
  name?: string
  status?: 'active' | 'completed'
  /** Seconds, 60–2,592,000 (30 days). */
  expirationSeconds?: number
  /** The conversation so far. */
  messages?: ChatMessage[]
}

/** Body of `sessions.create`. */
export interface CreateSession extends UpdateSession {
  assistantId?: string
  assistant?: CreateAssistant
  customer?: Customer
  phoneNumberId?: string
  /** A number given inline, of an account at Twilio. */
  phoneNumber?: ImportTwilioPhoneNumber
}

/** A conversation that several chats belong to. */
export interface Session extends CreateSession {
  id: string
  orgId: string
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
}

/** Query of `sessions.list` and `sessions.pages`. */
export interface ListSessions extends PageQuery {
  name?: string
  assistantId?: string
  workflowId?: string
}
