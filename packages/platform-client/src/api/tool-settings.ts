import type { JsonSchema } from './json-schema.js'
import type { Server } from './server.js'
import type { ToolMessage } from './tool-message.js'

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
