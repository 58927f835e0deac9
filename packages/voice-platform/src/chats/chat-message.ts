import type { ChatMessage } from '@heyline/platform-client'
import { z } from 'zod'
import { lengthAsJson } from '../assistants/length-as-json.js'
import { charactersOf, type ModelMessage, type ToolCall } from '../engines/engine.js'
import { wireToolCall } from '../engines/wire-message.js'

/** Most characters of one message (the platform's own). */
const MOST_CONTENT = 10_000
const MOST_TOOL_CALLS = 100
/** Most characters of a message's `metadata`, written as JSON. */
const MOST_METADATA = 1_000
/** Most messages of a request, and most that a model reads beside its prompt. */
export const MOST_MESSAGES = 200
/** Most characters that a model reads beside its prompt. */
export const MOST_HISTORY = 100_000

const named = { name: z.string().max(40).optional() }
export const metadata = z
  .record(z.string(), z.unknown())
  .refine((given) => lengthAsJson(given) <= MOST_METADATA, {
    error: `must be shorter than or equal to ${MOST_METADATA} characters of JSON`,
  })
  .optional()
/** When something was said, as a call's record has it. */
const spokenTimes = {
  time: z.number().optional(),
  endTime: z.number().optional(),
  secondsFromStart: z.number().optional(),
  duration: z.number().optional(),
}
/** What a call's record says of words beside. It is stored, and no model reads it. */
export const ofRecord = {
  ...spokenTimes,
  isFiltered: z.boolean().optional(),
  detectedThreats: z.array(z.string().max(100)).max(20).optional(),
  speakerLabel: z.string().max(100).optional(),
}
const toolCallOf = (words: z.ZodString) =>
  z.looseObject({
    id: z.string().min(1).max(200),
    type: z.literal('function'),
    function: z.looseObject({ name: z.string().max(64), arguments: words }),
  })

/** Words are in `content`, or in `message` as a call's record has them. */
export const hasEither = ({ content, message }: { content?: string; message?: string }): boolean =>
  (content === undefined) !== (message === undefined)

/** One message as the API has it, with texts of this kind. */
const messageOf = (words: z.ZodString) =>
  z.discriminatedUnion('role', [
    z
      .strictObject({
        ...{ role: z.enum(['user', 'system']), content: words.optional(), message: words.optional() },
        ...{ ...named, ...ofRecord, originalMessage: words.optional(), metadata },
      })
      .refine(hasEither, { error: 'must have either content or message' }),
    z.strictObject({
      ...{ role: z.literal('assistant'), content: words.nullish(), refusal: words.nullish(), ...named },
      ...{ tool_calls: z.array(toolCallOf(words)).max(MOST_TOOL_CALLS).optional(), metadata },
    }),
    z.strictObject({
      ...{ role: z.literal('tool'), content: words, tool_call_id: z.string().min(1).max(200), ...named },
      metadata,
    }),
    z.strictObject({ role: z.literal('developer'), content: words, ...named, metadata }),
  ])

const words = z.string().max(MOST_CONTENT)
const toolCall = toolCallOf(words)
const chatMessage = messageOf(words)

/** The messages of a session. They come back from clients as chats have left them: what an assistant wrote may be long. */
export const sessionMessages = z.array(messageOf(z.string()))

/** What a chat is given: a text of the user's, or messages. */
export const chatInput = z.union([words, z.array(chatMessage).min(1).max(MOST_MESSAGES)])
export type GivenInput = z.output<typeof chatInput>
type GivenMessage = z.output<typeof chatMessage>

/** Messages that lie in a session or in an earlier chat; what is none of a chat's is left out. */
export const storedMessages = (stored: unknown): GivenMessage[] =>
  Array.isArray(stored) ? stored.flatMap((message) => storedMessage.safeParse(message).data ?? []) : []

/** Its texts may be longer than a request's: the assistant wrote them. */
const stored = { content: z.string().nullish(), name: z.string().optional() }
const storedMessage = z.discriminatedUnion('role', [
  z.looseObject({
    role: z.enum(['user', 'system']),
    content: z.string().optional(),
    message: z.string().optional(),
  }),
  z.looseObject({
    ...{ role: z.literal('assistant'), ...stored, refusal: z.string().nullish() },
    tool_calls: z.array(toolCall).optional(),
  }),
  z.looseObject({ role: z.literal('tool'), content: z.string(), tool_call_id: z.string() }),
  z.looseObject({ role: z.literal('developer'), content: z.string() }),
])

export const messagesOf = (input: GivenInput): GivenMessage[] =>
  typeof input === 'string' ? [{ role: 'user', content: input }] : input

/** The latest messages, so many characters of them. The last one always. */
export function latestOf<Message extends GivenMessage>(
  messages: readonly Message[],
  most = MOST_HISTORY,
): Message[] {
  const latest: Message[] = []
  let left = most
  for (const message of messages.toReversed()) {
    left -= charactersOf(modelMessage(message)) + besides(message)
    if (latest.length > 0 && (left < 0 || latest.length >= MOST_MESSAGES)) break
    latest.unshift(message)
  }
  return latest
}

/** Characters of what is stored with a message, and read by no model. */
const besides = (message: GivenMessage): number => {
  const original = 'originalMessage' in message ? (message.originalMessage?.length ?? 0) : 0
  return original + (message.metadata === undefined ? 0 : lengthAsJson(message.metadata))
}

/**
 * The latest of these messages as a model reads them. Results without a use of a tool, and uses without all results, are left out: a
 * model's server refuses both.
 */
export function modelMessages(messages: readonly GivenMessage[], most = MOST_HISTORY): ModelMessage[] {
  const latest = latestOf(messages, most).map(modelMessage)
  const kept: ModelMessage[] = []
  for (const [place, message] of latest.entries()) {
    if (message.role === 'tool') {
      if (isAnswerTo(kept, message)) kept.push(message)
    } else if (!message.toolCalls) kept.push(message)
    else if (hasResults(message.toolCalls, latest.slice(place + 1))) kept.push(message)
    else if (message.content) kept.push({ role: 'assistant', content: message.content })
  }
  return kept
}

const hasResults = (calls: readonly ToolCall[], after: readonly ModelMessage[]): boolean => {
  const results = new Set<string>()
  for (const { role, toolCallId } of after) {
    if (role !== 'tool') break
    if (toolCallId !== undefined) results.add(toolCallId)
  }
  return calls.every(({ id }) => results.has(id))
}

const isAnswerTo = (before: readonly ModelMessage[], { toolCallId }: ModelMessage): boolean => {
  const place = before.findLastIndex(({ role }) => role !== 'tool')
  const isAnswered = before.slice(place + 1).some((result) => result.toolCallId === toolCallId)
  return !isAnswered && (before[place]?.toolCalls ?? []).some(({ id }) => id === toolCallId)
}

function modelMessage(message: GivenMessage): ModelMessage {
  if (message.role === 'tool')
    return { role: 'tool', content: message.content, toolCallId: message.tool_call_id }
  if (message.role === 'assistant') {
    const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: given } }) => ({
      ...{ id, name, arguments: argumentsOf(given) },
    }))
    const content = message.content ?? message.refusal ?? ''
    return { role: 'assistant', content, ...(calls.length > 0 && { toolCalls: calls }) }
  }
  if (message.role === 'developer') return { role: 'system', content: message.content }
  return { role: message.role, content: message.content ?? message.message ?? '' }
}

const argumentsSchema = z.record(z.string(), z.unknown())

function argumentsOf(json: string): Record<string, unknown> {
  try {
    return argumentsSchema.safeParse(JSON.parse(json)).data ?? {}
  } catch {
    return {}
  }
}

/** What the assistant wrote, as the API has it. */
export const writtenMessage = ({ role, content, toolCalls, toolCallId }: ModelMessage): ChatMessage => {
  if (role === 'tool') return { role, content, tool_call_id: toolCallId ?? '' }
  if (role !== 'assistant') return { role, content }
  return {
    role,
    ...((content || !toolCalls) && { content }),
    ...(toolCalls && { tool_calls: toolCalls.map(wireToolCall) }),
  }
}
