import type { JsonSchema } from './json-schema.js'
import type { Server } from './server.js'
import type { SpokenContent } from './spoken-message.js'

/** How the model sees a tool: its name, what it is for, and the arguments that it takes. */
export interface ToolFunction {
  /** Letters, digits, `_` and `-`; at most 64 characters. */
  name: string
  /** By which the model decides when to call it; at most 1000 characters. */
  description?: string
  /** Not set: the function takes no arguments. */
  parameters?: {
    type: 'object'
    properties: Record<string, JsonSchema>
    required?: string[]
  }
  /** The model keeps exactly to the schema, of which only a part of JSON Schema is then allowed. Default false. */
  strict?: boolean
}

/** What every tool has, beside its type and whatever else its kind takes. */
export interface ToolSettings {
  /** What is said while the tool runs. */
  messages?: ToolMessage[]
  /** Kinds that the platform runs itself fill this in; one given here replaces theirs. */
  function?: ToolFunction
  [setting: string]: unknown
}

/** What tools have that the developer's server runs. */
export interface ServedToolSettings extends ToolSettings {
  /** Gets the `tool-calls` message and answers with the result. Not set: the server of the assistant, the number or the organisation. */
  server?: Server
}

/** A kind of tool that has no settings of its own. */
export interface PlainTool<Type extends string> extends ToolSettings {
  type: Type
}

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
