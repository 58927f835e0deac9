import { z } from 'zod'
import { toolMessages } from './http-tool-schema.js'
import { variableAliases } from './variable-aliases.js'

const words = z.string().max(1_000)
/** Most lines that a next assistant may be given by their number. */
const MOST_LINES = 1_000
/** Most destinations of one tool. */
const MOST_DESTINATIONS = 20
const MOST_SCHEMA = 20_000

/** Another assistant of the same squad. */
export const assistantDestination = z.looseObject({
  type: z.literal('assistant'),
  assistantName: z.string().min(1).max(100),
  message: z
    .union([words, z.looseObject({ type: z.literal('custom-message'), content: words.optional() })])
    .optional(),
  description: words.optional(),
  transferMode: z
    .enum(
      [
        'rolling-history',
        'swap-system-message-in-history',
        'swap-system-message-in-history-and-remove-transfer-tool-messages',
        'delete-history',
      ],
      { error: 'is none of the modes that the built-in voice platform serves' },
    )
    .optional(),
})

const contextPlan = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ type: z.literal('all') }),
    z.strictObject({ type: z.literal('none') }),
    z.strictObject({ type: z.literal('userAndAssistantMessages') }),
    z.strictObject({
      type: z.literal('lastNMessages'),
      maxMessages: z.int().min(0).max(MOST_LINES),
    }),
  ],
  { error: 'must be all, none, lastNMessages or userAndAssistantMessages: others are not served' },
)

export const variableExtractionPlan = z.strictObject({
  schema: z
    .looseObject({ type: z.string() })
    .refine((schema) => JSON.stringify(schema).length <= MOST_SCHEMA, {
      error: `must be shorter than or equal to ${MOST_SCHEMA} characters of JSON`,
    })
    .optional(),
  aliases: variableAliases.optional(),
})

/** An assistant that takes over: of the squad by its name, stored by its id, or inline. */
export const handoffDestination = z
  .strictObject({
    type: z.literal('assistant', {
      error: 'must be assistant: the built-in voice platform hands calls to assistants only',
    }),
    assistantName: z.string().min(1).max(100).optional(),
    assistantId: z.uuid().optional(),
    assistant: z.looseObject({}).optional(),
    assistantOverrides: z.looseObject({}).optional(),
    description: words.optional(),
    contextEngineeringPlan: contextPlan.optional(),
    variableExtractionPlan: variableExtractionPlan.optional(),
  })
  .refine(
    ({ assistantName, assistantId, assistant }) =>
      assistantName !== undefined || assistantId !== undefined || assistant !== undefined,
    { error: 'must have an assistantName, an assistantId or an assistant' },
  )

/** Destinations of other types are stored as they are, and never reached. */
const anyDestination = z.looseObject({ type: z.string().max(100) }).superRefine((given, context) => {
  if (given.type !== 'assistant') return
  for (const { message, path } of handoffDestination.safeParse(given).error?.issues ?? [])
    context.addIssue({ code: 'custom', message, path })
})

/** The tool that hands a call over. Without destinations the server says to whom. */
export const handoffTool = z.looseObject({
  type: z.literal('handoff'),
  function: z
    .looseObject({
      name: z
        .string()
        .regex(/^[\w-]{1,40}$/, { error: 'must be 1 to 40 letters, digits, _ and -' })
        .optional(),
      description: words.optional(),
      parameters: z.looseObject({ type: z.literal('object') }).optional(),
    })
    .optional(),
  destinations: z.array(anyDestination).max(MOST_DESTINATIONS).optional(),
  messages: toolMessages,
})

/** What is read from what was said, for those who come after. */
export type GivenReading = z.output<typeof variableExtractionPlan>
export type GivenAssistantDestination = z.output<typeof assistantDestination>
export type GivenHandoffDestination = z.output<typeof handoffDestination>
export type GivenHandoffTool = z.output<typeof handoffTool>
