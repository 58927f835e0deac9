import type { CreateTool } from '@heyline/platform-client'
import { z } from 'zod'
import { E164 } from '../carriers/e164.js'
import type { TransferDestination } from '../session/bridge-call.js'
import type { SessionTool } from '../session/session-tool.js'
import { assistantDestination, handoffTool } from './handoff-schema.js'
import { apiRequestTool, functionTool, toolMessages, toolMessagesOf } from './http-tool-schema.js'
import { NEEDED_OF_TOOLS, toolType } from './tool-type.js'

/** Most tools of an assistant, and most destinations of a transfer. */
const MOST_TOOLS = 100
const MOST_DESTINATIONS = 20

const words = z.string().max(1_000)
const customMessage = z.looseObject({ type: z.literal('custom-message'), content: words.optional() })

/** What stands for the number that the call comes from. */
const OWN_NUMBER = '{{phoneNumber.number}}'

const numberAsStored = z.looseObject({
  type: z.literal('number'),
  number: z.string().regex(E164, { error: 'must be a phone number in the E.164 format' }),
  message: z.union([words, customMessage]).optional(),
  description: words.optional(),
  extension: z
    .string()
    .regex(/^[0-9*#w]{1,10}$/, { error: 'must be 1 to 10 of 0-9, *, # and w' })
    .optional(),
  callerId: z.unknown().optional(),
})

/** `sipVerb` would say how a SIP trunk is asked. It has no effect: we always ask with REFER. */
const transferPlan = z.strictObject({
  mode: z.literal('blind-transfer', {
    error: 'must be blind-transfer: the built-in voice platform has no warm transfers and sends no summaries',
  }),
  sipVerb: z.enum(['refer', 'bye', 'dial']).optional(),
})

/** A number that a call may be transferred to, in the API's shape. What cannot be done is refused. */
export const numberDestination = numberAsStored.extend({
  callerId: z
    .string()
    .refine((number) => number === OWN_NUMBER || E164.test(number), {
      error: `must be one of your numbers in the E.164 format, or ${OWN_NUMBER}: a call shows no number of somebody else's`,
    })
    .optional(),
  transferPlan: transferPlan.optional(),
})

const sipDestination = z.looseObject({ type: z.literal('sip') })
const others = [sipDestination, z.looseObject({ type: z.literal('assistant') })] as const

const named = z
  .looseObject({
    name: z
      .string()
      .regex(/^[\w-]{1,40}$/, { error: 'must be 1 to 40 letters, digits, _ and -' })
      .optional(),
    description: words.optional(),
  })
  .optional()

const dtmf = z.looseObject({ type: z.literal('dtmf'), function: named })
const endCall = z.looseObject({ type: z.literal('endCall'), function: named, messages: toolMessages })
const transferTo = <Destination extends z.ZodType>(destination: Destination) =>
  z.looseObject({
    type: z.literal('transferCall'),
    function: named,
    destinations: z.array(destination).max(MOST_DESTINATIONS).optional(),
  })

/** The tools of an assistant that is created or changed. Of a transfer, destinations of the type `number` count, and in a squad those of the type `assistant`. */
const callTool = z.discriminatedUnion('type', [
  transferTo(z.discriminatedUnion('type', [numberDestination, sipDestination, assistantDestination])),
  handoffTool,
  dtmf,
  endCall,
  functionTool,
  apiRequestTool,
])
/** The tools of one that is stored: it may be older than the checks of `callerId` and `transferPlan`. */
const storedTool = z.discriminatedUnion('type', [
  transferTo(z.discriminatedUnion('type', [numberAsStored, ...others])),
  dtmf,
  endCall,
])
const SERVED: ReadonlySet<string> = new Set([
  'transferCall',
  'handoff',
  'dtmf',
  'endCall',
  'function',
  'apiRequest',
])

const isTool = (value: unknown): boolean => z.looseObject({ type: z.string() }).safeParse(value).success

/** The tools of an assistant. Those that are not served are stored as they are. */
export const assistantTools = z
  .array(
    z.custom<CreateTool>(isTool, 'must be an object with a type').superRefine((tool, context) => {
      if (!isTool(tool) || !SERVED.has(tool.type)) return
      for (const issue of callTool.safeParse(tool).error?.issues ?? []) context.addIssue({ ...issue })
    }),
  )
  .max(MOST_TOOLS)

/** One tool, stored by itself. */
export const storedTools = z.record(z.string(), z.unknown()).superRefine((tool, context) => {
  const kind = typeof tool.type === 'string' ? z.looseObject({ type: toolType }) : z.unknown()
  for (const schema of [kind, NEEDED_OF_TOOLS.get(tool.type) ?? z.unknown()])
    for (const issue of schema.safeParse(tool).error?.issues ?? []) context.addIssue({ ...issue })
  for (const issue of assistantTools.safeParse([tool]).error?.issues ?? [])
    context.addIssue({ ...issue, path: issue.path.slice(1) })
  for (const name of ['id', 'orgId', 'createdAt', 'updatedAt'])
    if (name in tool) context.addIssue({ code: 'unrecognized_keys', keys: [name], path: [], input: tool })
})

/** The tools that are stored by themselves. What they send to servers of their own is secret. */
export const TOOL_FAMILY = {
  name: 'tool',
  secrets: { server: ['secret', 'headers'], headers: ['properties'] },
  destinations: ['server.url', 'url'],
}

/** The tools of a session, by an assistant's. `text` fills in what is said. Of two with one name, the first counts. */
export function sessionTools(tools: readonly unknown[], text: (template: string) => string): SessionTool[] {
  const served = new Map<string, SessionTool>()
  for (const given of tools) {
    const tool = storedTool.safeParse(given).data
    if (!tool) continue
    const { type, function: { name = type, description } = {} } = tool
    if (served.has(name)) continue
    const known = { name, ...(description !== undefined && { description }) }
    if (tool.type === 'dtmf') served.set(name, { type: 'dtmf', ...known })
    else if (tool.type === 'endCall') {
      const message = toolMessagesOf(tool.messages, text).start[0]?.content
      served.set(name, { type: 'endCall', ...known, ...(message && { message }) })
    } else {
      const destinations = (tool.destinations ?? []).flatMap((destination) =>
        destination.type === 'number' ? transferDestination(numberAsStored.parse(destination), text) : [],
      )
      if (destinations.length > 0) served.set(name, { type: 'transferCall', ...known, destinations })
    }
  }
  return [...served.values()]
}

/** A destination as a session has it. */
export function transferDestination(
  { number, message, description, extension, callerId }: z.output<typeof numberAsStored>,
  text: (template: string) => string = (words) => words,
): TransferDestination {
  const said = typeof message === 'object' ? message.content : message
  return {
    number,
    ...(said !== undefined && { message: text(said) }),
    ...(description !== undefined && { description }),
    ...(extension !== undefined && { extension }),
    ...(typeof callerId === 'string' && E164.test(callerId) && { callerId }),
  }
}

/** The numbers that transfers of these tools show. */
export const shownNumbers = (tools: readonly unknown[]): string[] =>
  sessionTools(tools, (words) => words).flatMap((tool) =>
    tool.type === 'transferCall' ? tool.destinations.flatMap(({ callerId = [] }) => callerId) : [],
  )
