import type { ModelTool } from '../engines/engine.js'
import type { ToolMessages } from './tool-messages.js'

/** What a tool gave, or why it gave nothing: words for the model. */
export type ToolOutcome = { result: string } | { error: string }

export interface ToolRun {
  /** Aborts when the call is over. The caller's interruptions do not end a tool. */
  signal: AbortSignal
  /** By which the call's record and servers name this use of the tool. */
  toolCallId: string
}

/**
 * Something that the model may use in a call and that answers with words, such as a request to somebody's server. Its time has to have a
 * limit.
 */
export interface CallTool {
  model: ModelTool
  /** What is said meanwhile and afterwards. */
  messages?: ToolMessages
  /** The conversation does not wait for it, and its result is dropped. */
  isAsync?: boolean
  /** The arguments are the model's own, and may be wrong. A rejection counts as a failure whose reason nobody is told. */
  run(given: Record<string, unknown>, run: ToolRun): Promise<ToolOutcome>
}
