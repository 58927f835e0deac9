import type {
  Chat,
  ChatDelta,
  ChatMessage,
  ChatResponse,
  ChatResponseEvent,
  ChatResponseMessage,
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

/** The pieces as the platform streams them. */
export async function* deltas({ id, sessionId, answer }: RunningChat): ChatEvents {
  const whose = { id, ...(sessionId !== undefined && { sessionId }) }
  const piece = ({ index, text }: ChatPiece): ChatDelta => ({
    ...{ ...whose, path: `chat.output[${index}].content`, delta: text },
  })
  try {
    for (;;) {
      const next = await answer.next()
      if (next.done) return
      yield piece(next.value)
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
