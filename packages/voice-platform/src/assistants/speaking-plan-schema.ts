import { z } from 'zod'
import { endpointingFault } from './endpointing-rule.js'

const seconds = (most: number) => z.number().min(0).max(most).optional()
const regexOptions = z
  .array(z.strictObject({ type: z.enum(['ignore-case', 'whole-word', 'multi-line']), enabled: z.boolean() }))
  .optional()
/** Longest expression of an endpointing rule, in characters. */
const regex = z.string().max(1_000)
const phrases = z.array(z.string().min(1).max(240)).max(100).optional()

/** Sets the pause after certain words of one side, or of both. */
const endpointingRule = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.enum(['assistant', 'customer']),
    regex,
    regexOptions,
    timeoutSeconds: z.number().min(0).max(15),
  }),
  z.strictObject({
    type: z.literal('both'),
    assistantRegex: regex,
    assistantRegexOptions: regexOptions,
    customerRegex: regex,
    customerRegexOptions: regexOptions,
    timeoutSeconds: z.number().min(0).max(15),
  }),
])

/** Expressions that could hold up the process, or that are not served, are refused when they are stored. */
function servedRules({ value, issues }: z.core.ParsePayload<z.infer<typeof endpointingRule>[]>): void {
  const message = endpointingFault(value)
  if (message !== undefined) issues.push({ code: 'custom', message, input: value })
}

/** When the assistant begins to speak. */
export const startSpeakingPlan = z.strictObject({
  waitSeconds: seconds(5),
  smartEndpointingPlan: z.looseObject({ provider: z.string() }).optional(),
  customEndpointingRules: z.array(endpointingRule).max(100).check(servedRules).optional(),
  transcriptionEndpointingPlan: z
    .strictObject({
      onPunctuationSeconds: seconds(3),
      onNoPunctuationSeconds: seconds(3),
      onNumberSeconds: seconds(3),
    })
    .optional(),
  smartEndpointingEnabled: z.union([z.boolean(), z.literal('livekit')]).optional(),
})

/** When the assistant stops because the caller speaks. */
export const stopSpeakingPlan = z.strictObject({
  numWords: z.number().min(0).max(10).optional(),
  voiceSeconds: seconds(0.5),
  backoffSeconds: seconds(10),
  acknowledgementPhrases: phrases,
  interruptionPhrases: phrases,
})

/** What becomes of the keys that the caller presses. */
export const keypadInputPlan = z.strictObject({
  enabled: z.boolean().optional(),
  timeoutSeconds: seconds(10),
  delimiters: z.union([z.enum(['#', '*', '']), z.array(z.enum(['#', '*', ''])).max(3)]).optional(),
})
