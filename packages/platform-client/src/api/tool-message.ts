import type { SpokenContent } from './spoken-message.js'

/** A comparison with one argument of the tool's call. */
export interface ToolMessageCondition {
  operator: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'
  /** The argument's name; at most 1000 characters. */
  param: string
  /** At most 1000 characters. */
  value: string
}

/** What every message of a tool can say. */
interface ToolSpeech {
  /** At most 1000 characters. */
  content?: string
  /** In place of `content`: one for each language of the assistant. */
  contents?: SpokenContent[]
  /** The message is for calls whose arguments meet all of these. */
  conditions?: ToolMessageCondition[]
}

/** Spoken when the tool is called; without one the platform says a filler of its own. Not for async tools. */
export interface ToolStartMessage extends ToolSpeech {
  type: 'request-start'
  /** The call of the tool waits until this has been said. Default false. */
  blocking?: boolean
}

/** Given when the tool is done, in place of an answer by the model. For an async tool: at once. */
export interface ToolCompleteMessage extends ToolSpeech {
  type: 'request-complete'
  /** `assistant` says it; `system` hands it to the model as a hint for its answer. Default `assistant`. */
  role?: 'assistant' | 'system'
  /** The call ends after it; not with role `system`. Default false. */
  endCallAfterSpokenEnabled?: boolean
}

/** Spoken when the tool failed, in place of an answer by the model. Not for async tools. */
export interface ToolFailedMessage extends ToolSpeech {
  type: 'request-failed'
  /** The call ends after it. Default false. */
  endCallAfterSpokenEnabled?: boolean
}

/** Spoken when the tool is late, or the customer speaks meanwhile. Not for async tools. */
export interface ToolDelayedMessage extends ToolSpeech {
  type: 'request-response-delayed'
  /** How long to wait for the tool before this is said, 100–120,000 milliseconds. */
  timingMilliseconds?: number
}

/** What is said around the call of a tool. */
export type ToolMessage = ToolStartMessage | ToolCompleteMessage | ToolFailedMessage | ToolDelayedMessage
