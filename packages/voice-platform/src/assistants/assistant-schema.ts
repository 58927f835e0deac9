import type { AssistantOverrides, CreateAssistant } from '@heyline/platform-client'
import { z } from 'zod'
import { resourceName } from '../resources/resource-name.js'
import { analysisPlan } from './analysis-plan-schema.js'
import { customKnowledgeBase } from './knowledge-base-schema.js'
import { lengthAsJson } from './length-as-json.js'
import { assistantCredentials, messageServer } from './server-schema.js'
import { keypadInputPlan, startSpeakingPlan, stopSpeakingPlan } from './speaking-plan-schema.js'
import { assistantTools } from './tool-schema.js'
import { refuseUserinfo } from './userinfo.js'

/** Longest first message, in characters: some ten minutes of speech. */
export const MOST_FIRST_MESSAGE = 10_000
/** Most characters of all messages of a model together: the prompt. */
export const MOST_PROMPT = 100_000
/** Longest address of a background sound, which is not played. */
const MOST_ADDRESS = 1_000
/** Longest id of a voice. */
const MOST_VOICE_ID = 200
/** Most characters of a call's `variableValues`, written as JSON. Anybody may send some with every call. */
const MOST_VARIABLE_VALUES = 20_000
/** Most end call phrases. Everything that the assistant says is searched for each. */
const MOST_END_CALL_PHRASES = 100

/** The platform's client messages. */
const CLIENT_MESSAGES = [
  'assistant.speechStarted',
  'assistant.started',
  'conversation-update',
  'function-call',
  'function-call-result',
  'hang',
  'language-changed',
  'metadata',
  'model-output',
  'speech-update',
  'status-update',
  'transcript',
  'transcript[transcriptType="final"]',
  'tool-calls',
  'tool-calls-result',
  'tool.completed',
  'transfer-update',
  'user-interrupted',
  'voice-input',
  'workflow.node.started',
] as const

const roles = z.enum(['assistant', 'function', 'user', 'system', 'tool'])

const charactersOf = (messages: readonly { content: string | null }[]) =>
  messages.reduce((sum, { content }) => sum + (content?.length ?? 0), 0)

/** The settings of a language model that are used here. A provider's own settings pass through. */
const model = z
  .looseObject({
    provider: z.string(),
    model: z.string().optional(),
    url: z.string().nullish(),
    messages: z
      .array(z.looseObject({ role: roles, content: z.string().nullable() }))
      .refine((messages) => charactersOf(messages) <= MOST_PROMPT, {
        error: `must be shorter than or equal to ${MOST_PROMPT} characters`,
      })
      .optional(),
    temperature: z.number().min(0).max(2).optional(),
    maxTokens: z.number().min(50).max(10_000).optional(),
    tools: assistantTools.optional(),
    knowledgeBaseId: z.uuid().optional(),
    knowledgeBase: customKnowledgeBase.optional(),
  })
  // Its tools and its knowledge have rules of their own for their servers.
  .superRefine(({ messages, tools, knowledgeBase, ...own }, context) => refuseUserinfo(own, context))

/** The settings that this platform acts on, with the platform's own limits. */
const used = {
  name: resourceName.optional(),
  model: model.optional(),
  voice: z
    .looseObject({ provider: z.string(), voiceId: z.string().max(MOST_VOICE_ID).optional() })
    .superRefine(refuseUserinfo)
    .optional(),
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
  firstMessageInterruptionsEnabled: z.boolean().optional(),
  endCallMessage: z.string().max(1_000).optional(),
  voicemailMessage: z.string().max(1_000).optional(),
  endCallPhrases: z.array(z.string().min(2).max(140)).max(MOST_END_CALL_PHRASES).optional(),
  keypadInputPlan: keypadInputPlan.optional(),
  startSpeakingPlan: startSpeakingPlan.optional(),
  stopSpeakingPlan: stopSpeakingPlan.optional(),
  analysisPlan: analysisPlan.optional(),
  backgroundSound: z.string().max(MOST_ADDRESS).optional(),
  clientMessages: z.array(z.enum(CLIENT_MESSAGES)).optional(),
  serverMessages: z.array(z.string()).optional(),
  server: messageServer.optional(),
  credentials: assistantCredentials.optional(),
}

/** The other settings of an assistant (the platform's CreateAssistantDTO): stored, and not acted on yet. */
const STORED_ONLY = [
  'artifactPlan',
  'backgroundDenoisingEnabled',
  'backgroundSpeechDenoisingPlan',
  'compliancePlan',
  'credentialIds',
  'hooks',
  'messagePlan',
  'metadata',
  'modelOutputInMessagesEnabled',
  'monitorPlan',
  'observabilityPlan',
  'transcriber',
  'transportConfigurations',
  'voicemailDetection',
] as const

/** All settings of an assistant. Unknown settings are refused, as on the hosted platform. A provider's own settings pass through. */
const settings = {
  ...used,
  ...Object.fromEntries(
    STORED_ONLY.map((name) => [name, z.unknown().superRefine(refuseUserinfo).optional()]),
  ),
}

/** Body of `POST /assistant`, `PATCH /assistant/{id}` and `PUT /assistant/{id}`. */
export const storedAssistant = z.strictObject(settings)

/** An assistant inside a call. */
export const inlineAssistant: z.ZodType<CreateAssistant> = storedAssistant

/** Values of the placeholders of a call's texts. */
export const variableValues = z
  .record(z.string(), z.unknown())
  .refine((values) => lengthAsJson(values) <= MOST_VARIABLE_VALUES, {
    error: `must be shorter than or equal to ${MOST_VARIABLE_VALUES} characters of JSON`,
  })

/** What a call changes about its assistant. */
export const assistantOverrides: z.ZodType<AssistantOverrides> = z.strictObject({
  ...settings,
  variableValues: variableValues.optional(),
})
