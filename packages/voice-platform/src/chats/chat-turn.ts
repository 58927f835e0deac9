import type { Logger } from 'pino'
import type { Model, ModelMessage, ToolCall } from '../engines/engine.js'
import { boundedReply } from '../session/bounded-reply.js'
import { DEFAULT_MAX_TOKENS, type SessionAssistant } from '../session/session-assistant.js'
import type { CallTool, ToolOutcome } from '../tools/call-tool.js'
import type { EndMessage } from '../tools/tool-messages.js'
import {
  endMessage,
  FAILED,
  MOST_AT_ONCE,
  MOST_ROUNDS,
  NOT_WAITED_FOR,
  resultText,
  type UsedTool,
} from '../tools/used-tool.js'
import { abortable, untilAborted } from '../work/abortable.js'

export interface ChatTurn {
  assistant: SessionAssistant
  model: Model
  tools: readonly CallTool[]
  /** What the model reads beside its prompt. */
  messages: readonly ModelMessage[]
  /** Most uses of tools; the model reads that further ones were not done. */
  mostToolUses: number
  logger: Logger
  /** Ends the turn at once. */
  signal: AbortSignal
}

/** A piece of what the assistant writes: of its message at this place of the answer. */
export interface ChatPiece {
  index: number
  text: string
}

/** A tool that is used once too often. */
const tooOften = ({ model }: CallTool): CallTool => ({
  model,
  run: async () => ({ error: 'This answer has used its tools too often. Go on without them.' }),
})

/**
 * One answer of the assistant, in pieces as they come; it returns all that was written, with the use of tools. The model is asked again
 * after tools, as in a call, and at last without them. Rejects with the engine's error, or the signal's reason.
 */
export async function* takeTurn(turn: ChatTurn): AsyncGenerator<ChatPiece, ModelMessage[]> {
  const { assistant, model, tools, signal } = turn
  const output: ModelMessage[] = []
  const hints: ModelMessage[] = []
  const prompt: ModelMessage[] = assistant.systemPrompt
    ? [{ role: 'system', content: assistant.systemPrompt }]
    : []
  const { maxTokens = DEFAULT_MAX_TOKENS } = assistant
  let usesLeft = turn.mostToolUses
  for (let round = 0; round <= MOST_ROUNDS; round += 1) {
    const calls: ToolCall[] = []
    const offered = round < MOST_ROUNDS && usesLeft > 0 ? tools.map((tool) => tool.model) : []
    const pieces = model.reply([...prompt, ...turn.messages, ...output, ...hints], {
      ...{ signal, maxTokens },
      ...(offered.length > 0 && { tools: offered }),
      ...(assistant.model !== undefined && { model: assistant.model }),
      ...(assistant.temperature !== undefined && { temperature: assistant.temperature }),
      onToolCall: (call) => void calls.push(call),
    })
    let content = ''
    for await (const text of untilAborted(boundedReply(pieces, maxTokens), signal)) {
      if (text === '') continue
      content += text
      yield { index: output.length, text }
    }
    const uses = calls.slice(0, MOST_AT_ONCE).flatMap((call) => {
      const tool = offered.length > 0 && tools.find(({ model: { name } }) => name === call.name)
      return tool ? [{ call, tool }] : []
    })
    const used = uses.map(({ call }) => call)
    if (content || uses.length > 0 || round === 0)
      output.push({ role: 'assistant', content, ...(uses.length > 0 && { toolCalls: used }) })
    if (uses.length === 0) break
    const results = await Promise.all(
      uses.map(({ call, tool }, place) => use(call, place < usesLeft ? tool : tooOften(tool), turn)),
    )
    usesLeft -= uses.length
    output.push(...results.map(resultLine))
    const ends = results.flatMap((one) => endMessage(one) ?? [])
    hints.push(
      ...ends.filter(isHint).map(({ content: hint }): ModelMessage => ({ role: 'system', content: hint })),
    )
    const said = ends.filter((end) => !end.isHint && end.content !== '')
    for (const { content: text } of said) {
      yield { index: output.length, text }
      output.push({ role: 'assistant', content: text })
    }
    if (said.length === uses.length || said.some(({ endsCall }) => endsCall)) break
    if (content && uses.every(({ tool }) => tool.isAsync)) break
  }
  return output
}

const isHint = (end: EndMessage): boolean => end.isHint

async function use(call: ToolCall, tool: CallTool, { signal, logger }: ChatTurn): Promise<UsedTool> {
  const ran = tool
    .run(call.arguments, { signal, toolCallId: call.id })
    .catch((error: unknown): ToolOutcome => {
      if (!signal.aborted) logger.warn({ err: error, tool: call.name }, 'a tool failed')
      return FAILED
    })
  return { call, tool, outcome: tool.isAsync ? NOT_WAITED_FOR : await abortable(ran, signal) }
}

const resultLine = ({ call, outcome }: UsedTool): ModelMessage => ({
  role: 'tool',
  content: resultText(outcome),
  toolCallId: call.id,
})
