import type { ModelMessage, ToolCall } from './engine.js'

/** A tool call as OpenAI's wire has it, and the platform's messages. */
export interface WireToolCall {
  id: string
  type: 'function'
  /** The arguments as JSON. */
  function: { name: string; arguments: string }
}

/** A line of a conversation as OpenAI's wire has it. */
export interface WireMessage {
  role: ModelMessage['role']
  content: string | null
  tool_calls?: WireToolCall[]
  tool_call_id?: string
}

export const wireToolCall = ({ id, name, arguments: given }: ToolCall): WireToolCall => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(given) },
})

/** OpenAI's form of a line: one that only uses tools has no content. */
export function wireMessage({ role, content, toolCalls, toolCallId }: ModelMessage): WireMessage {
  if (toolCalls) return { role, content: content || null, tool_calls: toolCalls.map(wireToolCall) }
  return { role, content, ...(toolCallId !== undefined && { tool_call_id: toolCallId }) }
}
