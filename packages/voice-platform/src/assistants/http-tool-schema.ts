import { z } from 'zod'
import type { ToolMessages } from '../tools/tool-messages.js'
import { unfollowedFixed } from '../work/schema-values.js'
import { messageServer } from './server-schema.js'
import { variableAliases } from './variable-aliases.js'

const words = z.string().max(1_000)
const toolName = (most: number) =>
  z.string().regex(new RegExp(`^[\\w-]{1,${most}}$`), {
    error: `must be 1 to ${most} letters, digits, _ and -`,
  })

/** Most messages of one kind of moment. */
const MOST_MESSAGES = 20
const condition = z.looseObject({
  operator: z.enum(['eq', 'neq', 'gt', 'gte', 'lt', 'lte']),
  param: words,
  value: words,
})
const speech = {
  content: words.optional(),
  contents: z
    .array(z.looseObject({ type: z.literal('text'), text: words }))
    .max(50)
    .optional(),
  conditions: z.array(condition).max(20).optional(),
}
const ends = { ...speech, endCallAfterSpokenEnabled: z.boolean().optional() }
const message = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('request-start'), ...speech, blocking: z.boolean().optional() }),
  z.looseObject({
    type: z.literal('request-response-delayed'),
    ...speech,
    timingMilliseconds: z.number().min(100).max(120_000).optional(),
  }),
  z.looseObject({
    type: z.literal('request-complete'),
    ...ends,
    role: z.enum(['assistant', 'system']).optional(),
  }),
  z.looseObject({ type: z.literal('request-failed'), ...ends }),
])
export const toolMessages = z.array(message).max(MOST_MESSAGES).optional()

const parameters = z.looseObject({ type: z.literal('object') })
const messages = toolMessages

/** Deepest and most properties of a plan, all in all. */
const MOST_DEPTH = 5
const MOST_PROPERTIES = 100

/** What of an answer becomes variables: by a JSON schema, and by aliases. */
const answerPlan = z.strictObject({
  schema: z
    .looseObject({
      type: z.literal('object', { error: 'must be object: variables are read from a JSON object' }),
    })
    .superRefine((schema, context) => {
      const problem = planProblem(schema)
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
    })
    .optional(),
  aliases: variableAliases.optional(),
})

function planProblem(schema: unknown): string | undefined {
  let count = 0
  const isRead = (given: unknown, depth: number): boolean => {
    const properties: unknown = Reflect.get(Object(given), 'properties')
    if (properties === undefined) return true
    if (typeof properties !== 'object' || properties === null || depth > MOST_DEPTH) return false
    const all = Object.values(properties)
    count += all.length
    return count <= MOST_PROPERTIES && all.every((one) => isRead(one, depth + 1))
  }
  return isRead(schema, 1)
    ? undefined
    : `must have properties that are objects, ${MOST_PROPERTIES} at most, and ${MOST_DEPTH} levels deep at most`
}

/** A tool that asks the developer's server. */
export const functionTool = z.looseObject({
  type: z.literal('function'),
  function: z.looseObject({
    name: toolName(64),
    description: words.optional(),
    parameters: parameters.optional(),
  }),
  async: z.boolean().optional(),
  server: messageServer.optional(),
  variableExtractionPlan: answerPlan.optional(),
  messages,
})

const schemaOfObject = z.looseObject({
  properties: z.record(z.string(), z.looseObject({})).optional(),
})

/** A tool that asks any server. */
export const apiRequestTool = z.looseObject({
  type: z.literal('apiRequest'),
  name: toolName(40).optional(),
  description: words.optional(),
  function: z.looseObject({ name: toolName(64), description: words.optional() }).optional(),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  url: z
    .string()
    .max(2_000)
    .regex(/^https?:\/\/[^/{}?#\\@]+([/?#]|$)/, {
      error:
        'must be an address that begins with https:// and a host without placeholders, a user or a password',
    }),
  timeoutSeconds: z.number().min(1).max(300).optional(),
  headers: schemaOfObject.optional(),
  body: schemaOfObject
    .superRefine((schema, context) => {
      const place = unfollowedFixed(schema)
      if (place !== undefined)
        context.addIssue({
          code: 'custom',
          message: `must have a fixed value only in properties and in lists of one kind of items, not in ${place}`,
        })
    })
    .optional(),
  backoffPlan: messageServer.shape.backoffPlan,
  variableExtractionPlan: answerPlan.optional(),
  messages,
})

/** The longest delay that a message without one has, in milliseconds. */
const DELAYED_MS = 3_000

/** A tool's `messages`, as a call uses them; `text` fills in what is said. */
export function toolMessagesOf(
  given: z.output<typeof toolMessages>,
  text: (template: string) => string,
): ToolMessages {
  const all: ToolMessages & { [Kind in keyof ToolMessages]: ToolMessages[Kind][number][] } = {
    start: [],
    delayed: [],
    complete: [],
    failed: [],
  }
  for (const one of given ?? []) {
    const { content = one.contents?.[0]?.text ?? '', conditions = [] } = one
    const said = { content: text(content), conditions }
    if (one.type === 'request-start') all.start.push({ ...said, isBlocking: one.blocking ?? false })
    else if (one.type === 'request-response-delayed')
      all.delayed.push({ ...said, afterMs: one.timingMilliseconds ?? DELAYED_MS })
    else {
      const isHint = one.type === 'request-complete' && one.role === 'system'
      const end = { ...said, isHint, endsCall: !isHint && (one.endCallAfterSpokenEnabled ?? false) }
      all[one.type === 'request-complete' ? 'complete' : 'failed'].push(end)
    }
  }
  return all
}
