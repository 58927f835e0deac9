import { z } from 'zod'
import { boundedJson } from '../../work/bounded-json.js'
import { EngineError, type Model, type ModelOptions } from '../engine.js'
import { firstOf } from '../first-of.js'
import { wireMessage } from '../wire-message.js'
import { eventData } from './event-stream.js'
import { EngineRefusal, Exchange, type OpenAiOptions } from './exchange.js'
import { ModelHabits } from './model-habits.js'
import { ToolCalls, toolCallPieces, toolOnTheWire } from './tool-calls.js'

const said = z.object({ content: z.string().nullish(), tool_calls: toolCallPieces })
const choice = z.object({
  delta: said.nullish(),
  message: said.nullish(),
  finish_reason: z.string().nullish(),
})
const completionPiece = z.object({
  choices: firstOf(choice).optional(),
  usage: z
    .object({ prompt_tokens: z.number().min(0), completion_tokens: z.number().min(0) })
    .nullish()
    .catch(undefined),
  error: z.unknown().optional(),
})

export interface OpenAiModelOptions extends OpenAiOptions {
  /** This model takes no tools: assistants that have some can only talk. Told once for each model. */
  onToolsRefused?: (model: string) => void
}

/** Models whose habits are kept; the one asked last stays longest. */
const MOST_MODELS = 100

/**
 * `POST /chat/completions` of an OpenAI-compatible server (OpenAI, Ollama, vLLM, LM Studio), streamed. An answer in one piece is read
 * too. `name` overrides the model that the call names. A parameter that a model refuses is left out or renamed, and the model asked again
 * at once; this is remembered.
 */
export function createOpenAiModel(options: OpenAiModelOptions): Model {
  const known = new Map<string, ModelHabits>()
  const habitsOf = (name: string): ModelHabits => {
    const habits = known.get(name) ?? new ModelHabits()
    known.delete(name)
    known.set(name, habits)
    for (const oldest of known.keys()) {
      if (known.size <= MOST_MODELS) break
      known.delete(oldest)
    }
    return habits
  }

  return {
    name: 'openai model',
    async *reply(messages, { signal, model, tools = [], onToolCall, onTokens, ...limits }) {
      const name = options.name ?? model
      if (!name) throw new EngineError('openai model', 'neither the call nor the configuration names a model')
      const habits = habitsOf(name)
      for (;;) {
        const sent = habits.sent(limits)
        const withTools = tools.length > 0 && habits.takesTools
        const asksTokens = onTokens !== undefined && habits.countsTokens
        const most = habits.thinks ? limits.maxTokens : undefined
        const exchange = new Exchange('openai model', options, signal)
        try {
          const offered = withTools && { tools: tools.map(toolOnTheWire) }
          const counted = asksTokens && { stream_options: { include_usage: true } }
          const lines = messages.map(wireMessage)
          const body = { model: name, messages: lines, stream: true, ...sent, ...offered, ...counted }
          const response = await exchange.post('/chat/completions', body)
          const isWhole = response.headers.get('content-type')?.includes('application/json')
          const calls = new ToolCalls()
          const answer = { exchange, response, calls, onTokens }
          const words = isWhole ? wholeText(answer) : streamedText(answer, most)
          if ((yield* words) === 'out of tokens' && !calls.any && habits.giveRoom(sent, limits)) continue
          for (const call of calls.finished()) onToolCall?.(call)
          return
        } catch (error) {
          const tookTools = habits.takesTools
          if (!(error instanceof EngineRefusal && habits.learn(error, { sent, withTools, asksTokens })))
            throw error
          if (tookTools && !habits.takesTools) options.onToolsRefused?.(name)
        } finally {
          exchange.close()
        }
      }
    },
  }
}

/** How an answer ended: with words, or with all its tokens used up before the first one. */
type Ending = 'words' | 'out of tokens'

const endingOf = (isEmpty: boolean, reason: string | null | undefined): Ending =>
  isEmpty && reason === 'length' ? 'out of tokens' : 'words'

/** An answer on its way. */
interface Answer {
  exchange: Exchange
  response: Response
  calls: ToolCalls
  onTokens: ModelOptions['onTokens']
}

/** `most`: pieces that are read. Servers send a token in each. */
async function* streamedText(
  { exchange, response, calls, onTokens }: Answer,
  most = Number.POSITIVE_INFINITY,
): AsyncGenerator<string, Ending> {
  let reason: string | null | undefined
  let pieces = 0
  for await (const data of eventData(exchange.bytes(response))) {
    if (data.trim() === '[DONE]') {
      exchange.complete()
      return endingOf(pieces === 0, reason)
    }
    const piece = pieceOf(exchange, boundedJson(data))
    const choice = piece.choices
    const content = choice?.delta?.content
    calls.add(choice?.delta?.tool_calls)
    if (content) yield content
    if (content && ++pieces >= most) return 'words'
    reason = choice?.finish_reason ?? reason
    // It may come with each piece. The last one counts them all.
    if (reason) tell(onTokens, piece)
  }
  if (!reason) throw exchange.error('the answer broke off')
  return endingOf(pieces === 0, reason)
}

async function* wholeText({ exchange, response, calls, onTokens }: Answer): AsyncGenerator<string, Ending> {
  const piece = pieceOf(exchange, await exchange.json(response))
  const choice = piece.choices
  const text = choice?.message?.content
  calls.add(choice?.message?.tool_calls)
  tell(onTokens, piece)
  if (text) yield text
  return endingOf(!text, choice?.finish_reason)
}

function tell(onTokens: ModelOptions['onTokens'], { usage }: z.output<typeof completionPiece>): void {
  if (usage) onTokens?.({ prompt: usage.prompt_tokens, completion: usage.completion_tokens })
}

function pieceOf(exchange: Exchange, json: unknown): z.output<typeof completionPiece> {
  const piece = completionPiece.safeParse(json)
  if (!piece.success) throw exchange.error('the answer is no chat completion')
  if (piece.data.error) throw exchange.error('the server reported an error in the middle of its answer')
  return piece.data
}
