import type { Clock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import type { Model, ModelMessage, ModelTool, ToolCall } from '../engines/engine.js'

/** Longest that somebody on the line waits for it, in milliseconds. */
const PATIENCE_MS = 5_000
const MOST_ANSWER = 20_000
const MOST_TOKENS = 1_000

export interface AskedModel {
  model: Model
  /** The model that the assistant names. */
  named: string | undefined
  clock: Clock
  logger: Logger
}

/** What a model says to one question between two assistants. */
export interface ModelAnswer {
  text: string
  calls: ToolCall[]
}

/** Asks a model while somebody on the line waits. Undefined where it does not answer in time. Never rejects. */
export async function askModel(
  messages: readonly ModelMessage[],
  signal: AbortSignal,
  { model, named, clock, logger }: AskedModel,
  tools: readonly ModelTool[] = [],
): Promise<ModelAnswer | undefined> {
  const late = new AbortController()
  const stop = clock.after(PATIENCE_MS, () => late.abort(new Error('no answer in time')))
  const both = AbortSignal.any([signal, late.signal])
  const answer: ModelAnswer = { text: '', calls: [] }
  try {
    const reply = model.reply(messages, {
      ...{ signal: both, maxTokens: MOST_TOKENS, temperature: 0 },
      ...(named !== undefined && { model: named }),
      ...(tools.length > 0 && { tools, onToolCall: (call: ToolCall) => void answer.calls.push(call) }),
    })
    for await (const piece of reply) {
      both.throwIfAborted()
      answer.text += piece
      if (answer.text.length > MOST_ANSWER) break
    }
    return answer
  } catch (error) {
    if (!signal.aborted) logger.warn({ err: error }, 'a model did not answer between two assistants')
    return undefined
  } finally {
    stop()
  }
}
