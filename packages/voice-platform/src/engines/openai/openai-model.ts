import { z } from 'zod'
import type { Model } from '../engine.js'
import { eventData } from './event-stream.js'
import { Exchange, type OpenAiOptions, parsed } from './exchange.js'

const completionPiece = z.object({
  choices: z
    .array(
      z.object({
        delta: z.object({ content: z.string().nullish() }).nullish(),
        message: z.object({ content: z.string().nullish() }).nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .optional(),
  error: z.unknown().optional(),
})

/**
 * `POST /chat/completions` of an OpenAI-compatible server (OpenAI, Ollama, vLLM, LM Studio), streamed. An answer in one piece is read
 * too. `name` overrides the model that the call names. Text only: no tool calls are asked for.
 */
export function createOpenAiModel(options: OpenAiOptions): Model {
  return {
    name: 'openai model',
    async *reply(messages, { signal, model, maxTokens, temperature }) {
      const exchange = new Exchange('openai model', options, signal)
      try {
        const name = options.name ?? model
        if (!name) throw exchange.error('neither the call nor the configuration names a model')
        const response = await exchange.post('/chat/completions', {
          model: name,
          messages,
          stream: true,
          ...(maxTokens !== undefined && { max_tokens: maxTokens }),
          ...(temperature !== undefined && { temperature }),
        })
        const isWhole = response.headers.get('content-type')?.includes('application/json')
        if (isWhole) yield* wholeText(exchange, response)
        else yield* streamedText(exchange, response)
      } finally {
        exchange.close()
      }
    },
  }
}

async function* streamedText(exchange: Exchange, response: Response): AsyncGenerator<string> {
  let finished = false
  for await (const data of eventData(exchange.bytes(response))) {
    if (data.trim() === '[DONE]') return
    const choice = firstChoice(exchange, parsed(data))
    if (choice?.delta?.content) yield choice.delta.content
    finished ||= Boolean(choice?.finish_reason)
  }
  if (!finished) throw exchange.error('the answer broke off')
}

async function* wholeText(exchange: Exchange, response: Response): AsyncGenerator<string> {
  const text = firstChoice(exchange, await exchange.json(response))?.message?.content
  if (text) yield text
}

function firstChoice(exchange: Exchange, json: unknown) {
  const piece = completionPiece.safeParse(json)
  if (!piece.success) throw exchange.error('the answer is no chat completion')
  if (piece.data.error) throw exchange.error('the server reported an error in the middle of its answer')
  return piece.data.choices?.[0]
}
