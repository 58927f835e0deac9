import type { ToolCall } from '../engines/engine.js'
import type { CallTool, ToolOutcome } from './call-tool.js'
import { type EndMessage, firstFitting } from './tool-messages.js'

/** How often the model is asked again after tools, until somebody has said something. The last time it has none. */
export const MOST_ROUNDS = 5
/** Most tools that one reply may use. */
export const MOST_AT_ONCE = 10
/** Most characters of a result that a model reads. */
export const MOST_RESULT = 8_000

export const NOT_WAITED_FOR: ToolOutcome = { result: 'This was asked for. Nobody waits for its result.' }
export const FAILED: ToolOutcome = { error: 'The tool failed.' }

/** One use of a tool, and what became of it. */
export interface UsedTool {
  call: ToolCall
  tool: CallTool
  outcome: ToolOutcome
}

/** What the model reads of it. */
export function resultText(outcome: ToolOutcome): string {
  const text = 'result' in outcome ? outcome.result : `Error: ${outcome.error}`
  return text.length > MOST_RESULT ? `${text.slice(0, MOST_RESULT)} … (cut)` : text
}

/** What a tool has to say about its end, instead of the model. An async one says it at once. */
export function endMessage({ call, tool, outcome }: UsedTool): EndMessage | undefined {
  const { complete = [], failed = [] } = tool.messages ?? {}
  return firstFitting('result' in outcome ? complete : failed, call.arguments)
}
