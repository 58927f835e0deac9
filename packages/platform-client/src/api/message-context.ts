import type { Artifact } from './artifact.js'
import type { Assistant, CreateAssistant } from './assistant.js'
import type { Call } from './call.js'
import type { Chat } from './chat.js'
import type { Customer } from './customer.js'
import type { CreatePhoneNumber } from './phone-number.js'

/** What every message of the platform may carry beside its own fields. */
export interface MessageContext {
  /** Milliseconds since the epoch. */
  timestamp?: number
  call?: Call
  assistant?: Assistant | CreateAssistant
  assistantVersion?: string
  customer?: Customer
  phoneNumber?: CreatePhoneNumber
  /** To servers only: what has been kept of the call so far. */
  artifact?: Artifact
  /** To servers only. */
  chat?: Chat
}
