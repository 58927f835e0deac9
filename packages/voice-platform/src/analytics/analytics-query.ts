import { z } from 'zod'
import { moment } from '../resources/moment.js'

/** A step over these may have this many results at most; a longer answer is refused. */
export const MOST_RESULTS = 10_000

const MINUTES = 'extract(epoch from f.ended_at - f.started_at)::float8 / 60'

/** What costs or works nothing here, as calls know nothing of it. */
const NOTHING = '0::float8'

/** What operations are computed from, and its SQL: `f` has a call's figures, `r` how many calls ran when it began. */
export const COLUMNS = {
  id: 'f.call_id',
  cost: 'f.cost',
  'costBreakdown.llm': 'f.llm',
  'costBreakdown.stt': 'f.stt',
  'costBreakdown.tts': 'f.tts',
  'costBreakdown.vapi': 'f.vapi',
  'costBreakdown.transport': NOTHING,
  'costBreakdown.analysisBreakdown.summary': 'f.summary_cost',
  'costBreakdown.transcriber': 'f.stt',
  'costBreakdown.ttsCharacters': 'f.tts_characters',
  'costBreakdown.llmPromptTokens': 'f.llm_prompt_tokens',
  'costBreakdown.llmCompletionTokens': 'f.llm_completion_tokens',
  'costBreakdown.llmCachedPromptTokens': NOTHING,
  duration: MINUTES,
  concurrency: 'r.running',
  minutesUsed: MINUTES,
} as const

/** What calls can be grouped by. */
export const GROUPS = {
  type: 'f.type',
  assistantId: 'f.assistant_id',
  endedReason: 'f.ended_reason',
  'analysis.successEvaluation': 'f.success',
  status: 'f.status',
} as const

const STEPS = [
  ...['second', 'minute', 'hour', 'day', 'week', 'month'],
  ...['quarter', 'year', 'decade', 'century', 'millennium'],
] as const

const OPERATIONS = ['sum', 'avg', 'count', 'min', 'max', 'history'] as const

/** What `subscription` has: figures of the whole installation. */
const OF_SUBSCRIPTION = new Set<string>(['concurrency', 'minutesUsed'])

const keysOf = <Key extends string>(table: Readonly<Record<Key, string>>) =>
  z.string().refine((name): name is Key => Object.hasOwn(table, name), {
    message: `must be one of the following values: ${Object.keys(table).join(', ')}`,
  })

const operation = z
  .strictObject({
    operation: z.enum(OPERATIONS),
    column: keysOf(COLUMNS),
    alias: z.string().min(1).max(40).optional(),
  })
  .superRefine(({ operation: name, column }, context) => {
    if (column === 'id' && name !== 'count')
      context.addIssue({ code: 'custom', path: ['column'], message: 'id can only be counted' })
  })

/** A name of the IANA database: what is none may mean another thing to Postgres. */
function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const timeRange = z.strictObject({
  step: z.enum(STEPS).optional(),
  start: moment.optional(),
  end: moment.optional(),
  timezone: z.string().max(60).refine(isZone, 'must be a time zone of the IANA database').default('UTC'),
})

const analyticsQuery = z
  .strictObject({
    table: z.enum(['call', 'subscription']),
    name: z.string().max(40),
    operations: z.array(operation).min(1).max(20),
    // The generated client of the platform types it as one text.
    groupBy: z
      .union([z.array(keysOf(GROUPS)).max(5), keysOf(GROUPS).transform((name) => [name])])
      .default([]),
    groupByVariableValue: z
      .array(z.strictObject({ key: z.string().min(1).max(100) }))
      .max(5)
      .default([]),
    timeRange: timeRange.default({ timezone: 'UTC' }),
  })
  .superRefine((query, context) => {
    const refuse = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    const names = resultNames(query)
    if (new Set(names).size < names.length) refuse('operations', 'must have a name each: give them an alias')
    const { start, end } = query.timeRange
    if (start && end && start >= end) refuse('timeRange', 'must end after its start')
    if (query.table === 'call') return
    if (query.groupBy.length + query.groupByVariableValue.length > 0)
      refuse('groupBy', 'is of the table call: a subscription has no groups')
    if (query.operations.some(({ column }) => !OF_SUBSCRIPTION.has(column)))
      refuse('operations', 'of the table subscription have the columns concurrency and minutesUsed')
  })

/** Body of `POST /analytics`. */
export const queryAnalytics = z.strictObject({ queries: z.array(analyticsQuery).min(1).max(10) })

export type AnalyticsQuery = z.infer<typeof analyticsQuery>

/** The fields of a result, in the order in which they are read. */
export const resultNames = ({
  operations,
  groupBy,
  groupByVariableValue,
  timeRange: { step },
}: Pick<AnalyticsQuery, 'operations' | 'groupBy' | 'groupByVariableValue' | 'timeRange'>): string[] => [
  ...(step ? ['date'] : []),
  ...groupBy,
  ...groupByVariableValue.map(({ key }) => key),
  ...operations.map(({ operation: name, column, alias }) => alias ?? `${name}${column}`),
]
