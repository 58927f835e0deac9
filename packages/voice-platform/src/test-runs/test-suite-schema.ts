import { z } from 'zod'
import { assistantOverrides, inlineAssistant } from '../assistants/assistant-schema.js'

const given = { assistantId: z.uuid().optional(), assistantOverrides: assistantOverrides.optional() }

/** Body of `POST /test-suite`. */
export const testSuiteSettings = z.strictObject({
  name: z.string().max(80).optional(),
  phoneNumberId: z.uuid().optional(),
  testerPlan: z.strictObject({ assistant: inlineAssistant.optional(), ...given }).optional(),
  targetPlan: z
    .strictObject({
      phoneNumberId: z.uuid().optional(),
      phoneNumber: z
        .strictObject({ provider: z.literal('test-suite'), number: z.string().max(50) })
        .optional(),
      ...given,
    })
    .optional(),
})

/** Body of `POST /test-suite/{testSuiteId}/test`. */
export const testSettings = z.strictObject({
  type: z.enum(['voice', 'chat']),
  scorers: z.array(z.strictObject({ type: z.literal('ai'), rubric: z.string().max(10_000) })).max(100),
  script: z.string().max(10_000),
  numAttempts: z.number().int().min(1).max(10).optional(),
  name: z.string().max(80).optional(),
})

/** Body of `POST /test-suite/{testSuiteId}/run`, and of its change. */
export const runSettings = z.strictObject({ name: z.string().max(80).optional() })

/** A suite and a test as they are stored. What was stored when less was checked is read again. */
export const storedSuite = testSuiteSettings.loose()
export const storedTest = testSettings.loose()
