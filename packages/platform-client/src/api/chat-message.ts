import type { ToolCall } from './artifact.js'

/** What every message can have beside its words. */
interface ChatMessageNotes {
  /** The developer's own. The built-in platform takes 1000 characters of JSON. */
  metadata?: Record<string, unknown>
}

/** What a call's record says of words that were spoken. */
interface ChatSpokenNotes extends ChatMessageNotes {
  /** The words were changed for what was dangerous in them. */
  isFiltered?: boolean
  /** What was found in them. */
  detectedThreats?: string[]
  /** The words before that. */
  originalMessage?: string
  /** Who of several people spoke. */
  speakerLabel?: string
}

/** What the user or the system says. */
export interface ChatUserMessage extends ChatSpokenNotes {
  role: 'user' | 'system'
  /** At most 10,000 characters. */
  content: string
  /** At most 40 characters. */
  name?: string
}

/** The same as a call's record has it: the published schema's form of these two roles. */
export interface ChatSpokenMessage extends ChatSpokenNotes {
  role: 'user' | 'system'
  message: string
  content?: never
  /** Milliseconds since the epoch. */
  time: number
  /** Milliseconds since the epoch. */
  endTime?: number
  secondsFromStart: number
  /** Seconds, as the published schema has it. */
  duration?: number
}

/** What the assistant says or asks its tools. */
export interface ChatAssistantMessage extends ChatMessageNotes {
  role: 'assistant'
  /** At most 10,000 characters. */
  content?: string
  /** Why the model declines; at most 10,000 characters. */
  refusal?: string
  tool_calls?: ToolCall[]
  /** At most 40 characters. */
  name?: string
}

/** What a tool answered. */
export interface ChatToolMessage extends ChatMessageNotes {
  role: 'tool'
  /** At most 10,000 characters. */
  content: string
  /** The `id` of the tool call that this answers. */
  tool_call_id: string
  /** At most 40 characters. */
  name?: string
}

/** Instructions that go before the user's. */
export interface ChatDeveloperMessage extends ChatMessageNotes {
  role: 'developer'
  /** At most 10,000 characters. */
  content: string
  /** At most 40 characters. */
  name?: string
}

/** One message of a chat. `content` is there whatever the role, though not with every message. */
export type ChatMessage =
  | ChatUserMessage
  | ChatSpokenMessage
  | ChatAssistantMessage
  | ChatToolMessage
  | ChatDeveloperMessage

/** A text of the user's, or messages. */
export type ChatInput = string | ChatMessage[]
