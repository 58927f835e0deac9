import type { CreateTool } from '@heyline/platform-client'
import { z } from 'zod'
import { E164 } from '../carriers/e164.js'
import type { TransferDestination } from '../session/bridge-call.js'
import type { SessionTool } from '../session/session-tool.js'

/** Most tools of an assistant, and most destinations of a transfer. */
const MOST_TOOLS = 100
const MOST_DESTINATIONS = 20

const words = z.string().max(1_000)
const customMessage = z.looseObject({ type: z.literal('custom-message'), content: words.optional() })

/** A number that a call may be transferred to, in the API's shape. `callerId` and `transferPlan` are stored, and not acted on. */
export const numberDestination = z.looseObject({
  type: z.literal('number'),
  number: z.string().regex(E164, { error: 'must be a phone number in the E.164 format' }),
  message: z.union([words, customMessage]).optional(),
  description: words.optional(),
  extension: z
    .string()
    .regex(/^[0-9*#w]{1,10}$/, { error: 'must be 1 to 10 of 0-9, *, # and w' })
    .optional(),
})

const destination = z.discriminatedUnion('type', [
  numberDestination,
  z.looseObject({ type: z.literal('sip') }),
  z.looseObject({ type: z.literal('assistant') }),
])

const named = z
  .looseObject({
    name: z
      .string()
      .regex(/^[\w-]{1,40}$/, { error: 'must be 1 to 40 letters, digits, _ and -' })
      .optional(),
    description: words.optional(),
  })
  .optional()

/** The tools that a session has. Of a transfer, only destinations of the type `number` count. */
const callTool = z.discriminatedUnion('type', [
  z.looseObject({
    type: z.literal('transferCall'),
    function: named,
    destinations: z.array(destination).max(MOST_DESTINATIONS).optional(),
  }),
  z.looseObject({ type: z.literal('dtmf'), function: named }),
])
const SERVED: ReadonlySet<string> = new Set(['transferCall', 'dtmf'])

const isTool = (value: unknown): boolean => z.looseObject({ type: z.string() }).safeParse(value).success

/** The tools of an assistant. Those that are not served are stored as they are. */
export const assistantTools = z
  .array(
    z.custom<CreateTool>(isTool, 'must be an object with a type').superRefine((tool, context) => {
      if (!isTool(tool) || !SERVED.has(tool.type)) return
      for (const { message, path } of callTool.safeParse(tool).error?.issues ?? [])
        context.addIssue({ code: 'custom', message, path })
    }),
  )
  .max(MOST_TOOLS)

/** The tools of a session, by an assistant's. `text` fills in what is said. Of two with one name, the first counts. */
export function sessionTools(tools: readonly unknown[], text: (template: string) => string): SessionTool[] {
  const served = new Map<string, SessionTool>()
  for (const given of tools) {
    const tool = callTool.safeParse(given).data
    if (!tool) continue
    const { type, function: { name = type, description } = {} } = tool
    if (served.has(name)) continue
    const known = { name, ...(description !== undefined && { description }) }
    if (tool.type === 'dtmf') served.set(name, { type: 'dtmf', ...known })
    else {
      const destinations = (tool.destinations ?? []).flatMap((destination) =>
        destination.type === 'number' ? transferDestination(numberDestination.parse(destination), text) : [],
      )
      if (destinations.length > 0) served.set(name, { type: 'transferCall', ...known, destinations })
    }
  }
  return [...served.values()]
}

/** A destination as a session has it. */
export function transferDestination(
  { number, message, description, extension }: z.output<typeof numberDestination>,
  text: (template: string) => string = (words) => words,
): TransferDestination {
  const said = typeof message === 'object' ? message.content : message
  return {
    number,
    ...(said !== undefined && { message: text(said) }),
    ...(description !== undefined && { description }),
    ...(extension !== undefined && { extension }),
  }
}
