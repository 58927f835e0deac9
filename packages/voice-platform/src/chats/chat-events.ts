import type {
  Chat,
  ChatDelta,
  ChatMessage,
  ChatResponse,
  ChatResponseEvent,
  ChatResponseMessage,
  WebChat,
} from '@heyline/platform-client'
import { ApiError } from '../resources/api-error.js'
import type { ChatPiece } from './chat-turn.js'
import type { RunningChat } from './chats.js'

/** The events of a streamed answer, and what it returns at its end. */
export type ChatEvents = AsyncGenerator<ChatDelta | ChatResponseEvent, void>

/** Reads an answer to its end. */
export async function wholeAnswer({ answer }: RunningChat): Promise<Chat> {
  for (;;) {
    const next = await answer.next()
    if (next.done) return next.value
  }
}

/** The pieces as the platform streams them, each with its place in the stored answer. */
export const deltas = (running: RunningChat): ChatEvents => deltasAt(running, ({ index }) => index)

/** The same for a page, whose answer has the written texts alone (`webView`). */
export function webDeltas(running: RunningChat): ChatEvents {
  let place = -1
  let last = -1
  return deltasAt(running, ({ index }) => {
    if (index !== last) place += 1
    last = index
    return place
  })
}

async function* deltasAt(
  { id, sessionId, answer }: RunningChat,
  placeOf: (piece: ChatPiece) => number,
): ChatEvents {
  const whose = { id, ...(sessionId !== undefined && { sessionId }) }
  try {
    for (;;) {
      const next = await answer.next()
      if (next.done) return
      yield { ...whose, path: `chat.output[${placeOf(next.value)}].content`, delta: next.value.text }
    }
  } finally {
    await close(answer)
  }
}

/** The same as the events of OpenAI's Responses API. A failure is an event, too, once something was said. */
export async function* responseEvents(running: RunningChat): ChatEvents {
  const { answer, id } = running
  const texts: { index: number; text: string }[] = []
  const placed = (place: number) => ({ item_id: itemId(id, place), output_index: place, content_index: 0 })
  try {
    for (;;) {
      const next = await answer.next()
      if (next.done) {
        for (const [place, { text }] of texts.entries())
          yield { type: 'response.output_text.done', ...placed(place), text }
        yield { type: 'response.completed', response: responseOf(next.value) }
        return
      }
      const { index, text } = next.value
      const last = texts.at(-1)
      if (last?.index === index) last.text += text
      else texts.push({ index, text })
      yield { type: 'response.output_text.delta', ...placed(texts.length - 1), delta: text }
    }
  } catch (error) {
    if (texts.length === 0 || !(error instanceof ApiError)) throw error
    const [code, message] = [error.body.error, error.message]
    yield { type: 'error', code, message, param: null, sequence_number: texts.length }
  } finally {
    await close(answer)
  }
}

/** A whole answer as a page sees it. It learns no uses of tools, and not what they gave. */
export const webView = ({ id, sessionId, output = [] }: Chat): WebChat => ({
  ...{ id, ...(sessionId !== undefined && { sessionId }) },
  output: output.flatMap((message) => {
    if (message.role !== 'assistant') return []
    const { tool_calls: used, ...written } = message
    return used === undefined || written.content ? [written] : []
  }),
})

/** A whole answer in the form of OpenAI's Responses API. */
export function responseOf({ id, createdAt, output = [] }: Chat): ChatResponse {
  return {
    ...{
      object: 'response',
      id,
      created_at: Math.floor(Date.parse(createdAt) / 1000),
      status: 'completed',
      error: null,
    },
    output: output.flatMap(textOf).map(
      (text, place): ChatResponseMessage => ({
        ...{ type: 'message', id: itemId(id, place), role: 'assistant', status: 'completed' },
        content: [{ type: 'output_text', text, annotations: [] }],
      }),
    ),
  }
}

const textOf = (message: ChatMessage): string[] =>
  message.role === 'assistant' && message.content ? [message.content] : []

const itemId = (chatId: string, place: number): string => `msg_${chatId}_${place}`

/** The answer goes on no more. */
const close = async (answer: RunningChat['answer']): Promise<void> => {
  await answer.return(undefined as never).catch(() => undefined)
}
