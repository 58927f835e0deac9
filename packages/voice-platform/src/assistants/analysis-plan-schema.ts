import { z } from 'zod'

/** Most characters of a step's own prompt, and of a schema written as JSON. */
const MOST_STEP = 20_000

const lengthOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0
const small = { error: `must be shorter than or equal to ${MOST_STEP} characters of JSON` }

const step = {
  enabled: z.boolean().optional(),
  messages: z
    .array(z.looseObject({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }))
    .max(20)
    .refine((messages) => lengthOf(messages) <= MOST_STEP, small)
    .optional(),
  timeoutSeconds: z.number().min(1).max(60).optional(),
}

const structuredDataPlan = z.strictObject({
  ...step,
  schema: z
    .looseObject({ type: z.enum(['string', 'number', 'integer', 'boolean', 'array', 'object']) })
    .refine((schema) => lengthOf(schema) <= MOST_STEP, small)
    .optional(),
})

/** What is concluded from a call after its end. */
export const analysisPlan = z.strictObject({
  minMessagesThreshold: z.number().min(0).optional(),
  summaryPlan: z.strictObject(step).optional(),
  structuredDataPlan: structuredDataPlan.optional(),
  structuredDataMultiPlan: z
    .array(z.strictObject({ key: z.string().min(1).max(100), plan: structuredDataPlan }))
    .max(10)
    .optional(),
  successEvaluationPlan: z.strictObject({ ...step, rubric: z.string().max(100).optional() }).optional(),
})

export type GivenAnalysisPlan = z.infer<typeof analysisPlan>
