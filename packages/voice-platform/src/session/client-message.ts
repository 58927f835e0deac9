import type { AppMessage } from '@heyline/room-protocol'
import { z } from 'zod'

/** Longest text that a client may have the assistant say, or may add, in characters. */
const MOST_CHARACTERS = 10_000
const text = z.string().trim().min(1).max(MOST_CHARACTERS)

const say = z
  .object({
    type: z.literal('say'),
    /** The text, by the web SDK's name and by the schema's. */
    message: text.optional(),
    content: text.optional(),
    endCallAfterSpoken: z.boolean().default(false),
    interruptionsEnabled: z.boolean().default(false),
    interruptAssistantEnabled: z.boolean().default(false),
  })
  .transform((say, context) => {
    const words = say.message ?? say.content
    if (words !== undefined) return { ...say, text: words }
    context.addIssue({ code: 'custom', message: 'say needs a message' })
    return z.NEVER
  })

const addMessage = z.object({
  type: z.literal('add-message'),
  message: z.object({ role: z.enum(['system', 'user', 'assistant']), content: text }),
  triggerResponseEnabled: z.boolean().default(true),
})

const control = z.object({
  type: z.literal('control'),
  control: z.enum([
    'mute-assistant',
    'unmute-assistant',
    'mute-customer',
    'unmute-customer',
    'say-first-message',
  ]),
})

const clientMessage = z.union([
  say,
  addMessage,
  control,
  z.object({ type: z.literal('end-call') }),
  z.object({ type: z.literal('hangup') }),
])

/** A message of the client that the session serves. */
export type ClientMessage = z.output<typeof clientMessage>

/**
 * Reads a client's message: `say`, `add-message`, `control` (mute and unmute of either side, say-first-message), `end-call` and `hangup`.
 * Undefined for one that is malformed or not served (`transfer`, `handoff`, `send-transport-message`, …). Never throws.
 */
export function readClientMessage(message: AppMessage): ClientMessage | undefined {
  const parsed = clientMessage.safeParse(message)
  return parsed.success ? parsed.data : undefined
}
