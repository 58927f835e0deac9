import type { AssistantOverrides, CreateAssistant } from '@heyline/platform-client'
import { z } from 'zod'

/** Longest first message, in characters: some ten minutes of speech. */
const MOST_FIRST_MESSAGE = 10_000
/** Most characters of all messages of a model together: the prompt. */
const MOST_PROMPT = 100_000

const roles = z.enum(['assistant', 'function', 'user', 'system', 'tool'])

const charactersOf = (messages: readonly { content: string | null }[]) =>
  messages.reduce((sum, { content }) => sum + (content?.length ?? 0), 0)

/** A language model's settings as far as they are used here; a provider's own settings pass through. */
const model = z.looseObject({
  provider: z.string(),
  model: z.string().optional(),
  messages: z
    .array(z.looseObject({ role: roles, content: z.string().nullable() }))
    .refine((messages) => charactersOf(messages) <= MOST_PROMPT, {
      error: `must be shorter than or equal to ${MOST_PROMPT} characters`,
    })
    .optional(),
  temperature: z.number().min(0).max(2).optional(),
  maxTokens: z.number().min(50).max(10_000).optional(),
})

/** The settings that this platform acts on, with the platform's own limits. */
const used = {
  name: z.string().max(40).optional(),
  model: model.optional(),
  voice: z.looseObject({ provider: z.string() }).optional(),
  firstMessage: z.string().max(MOST_FIRST_MESSAGE).optional(),
  firstMessageMode: z
    .enum([
      'assistant-speaks-first',
      'assistant-speaks-first-with-model-generated-message',
      'assistant-waits-for-user',
    ])
    .optional(),
  maxDurationSeconds: z.number().min(10).max(43_200).optional(),
  silenceTimeoutSeconds: z.number().min(10).max(3_600).optional(),
  customerJoinTimeoutSeconds: z.number().min(1).max(60).optional(),
  serverMessages: z.array(z.string()).optional(),
  server: z
    .looseObject({ url: z.url({ protocol: /^https?$/ }).optional(), secret: z.string().optional() })
    .optional(),
}

/** The other settings of an assistant (the platform's CreateAssistantDTO): stored, and not acted on yet. */
const STORED_ONLY = [
  'analysisPlan',
  'artifactPlan',
  'backgroundDenoisingEnabled',
  'backgroundSound',
  'backgroundSpeechDenoisingPlan',
  'clientMessages',
  'compliancePlan',
  'credentialIds',
  'credentials',
  'endCallMessage',
  'endCallPhrases',
  'firstMessageInterruptionsEnabled',
  'hooks',
  'keypadInputPlan',
  'messagePlan',
  'metadata',
  'modelOutputInMessagesEnabled',
  'monitorPlan',
  'observabilityPlan',
  'startSpeakingPlan',
  'stopSpeakingPlan',
  'transcriber',
  'transportConfigurations',
  'voicemailDetection',
  'voicemailMessage',
] as const

/** An assistant inside a call: checked where it is used, open to everything else. */
export const inlineAssistant: z.ZodType<CreateAssistant> = z.looseObject(used)

/** What a call changes about its assistant. */
export const assistantOverrides: z.ZodType<AssistantOverrides> = z.looseObject({
  ...used,
  variableValues: z.record(z.string(), z.unknown()).optional(),
})

/** Body of `POST /assistant`: unknown settings are refused, as the platform does. */
export const storedAssistant = z.strictObject({
  ...used,
  ...Object.fromEntries(STORED_ONLY.map((name) => [name, z.unknown().optional()])),
})
