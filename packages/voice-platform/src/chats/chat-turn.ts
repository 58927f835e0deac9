import type { Logger } from 'pino'
import type { Model, ModelMessage } from '../engines/engine.js'
import type { SessionAssistant } from '../session/session-assistant.js'
import type { CallTool } from '../tools/call-tool.js'
import { writtenTurn } from '../written/written-turn.js'
import { NO_SUCH_TOOL, notUsed, writtenUse } from '../written/written-use.js'

export interface ChatTurn {
  assistant: SessionAssistant
  model: Model
  tools: readonly CallTool[]
  /** What the model reads beside its prompt. */
  messages: readonly ModelMessage[]
  /** Most uses of tools; the model reads that further ones were not done. */
  mostToolUses: number
  /** The model has begun to write. */
  onWritten?: () => void
  logger: Logger
  /** Ends the turn at once. */
  signal: AbortSignal
}

/** A piece of what the assistant writes: of its message at this place of the answer. */
export interface ChatPiece {
  index: number
  text: string
}

const TOO_OFTEN = notUsed('Error: This answer has used its tools too often. Go on without them.')

/**
 * One answer of the assistant, in pieces as they come; it returns all that was written, with the use of tools. Rejects with the engine's
 * error, or the signal's reason.
 */
export async function* takeTurn(turn: ChatTurn): AsyncGenerator<ChatPiece, ModelMessage[]> {
  const { assistant, model, tools, messages } = turn
  const output: ModelMessage[] = []
  const hints: ModelMessage[] = []
  const { systemPrompt: content } = assistant
  const prompt: ModelMessage[] = content ? [{ role: 'system', content }] : []
  const steps = writtenTurn({
    ...{ assistant, model, signal: turn.signal, tooOften: TOO_OFTEN, uses: { left: turn.mostToolUses } },
    ...(turn.onWritten && { onWritten: turn.onWritten }),
    offered: tools.map((tool) => tool.model),
    async use(call) {
      const tool = tools.find(({ model: { name } }) => name === call.name)
      return tool ? await writtenUse(call, tool, turn) : NO_SUCH_TOOL
    },
    read: () => [...prompt, ...messages, ...output, ...hints],
  })
  for await (const step of steps) {
    if (step.type === 'piece') yield { index: output.length, text: step.text }
    else if (step.type === 'hint') hints.push({ role: 'system', content: step.text })
    else if (step.type === 'result')
      output.push({ role: 'tool', content: step.text, toolCallId: step.call.id })
    else if (step.type === 'said') {
      yield { index: output.length, text: step.text }
      output.push({ role: 'assistant', content: step.text })
    } else if (step.text || step.calls.length > 0 || step.isFirst) {
      const toolCalls = step.calls.length > 0 && { toolCalls: step.calls }
      output.push({ role: 'assistant', content: step.text, ...toolCalls })
    }
  }
  return output
}
