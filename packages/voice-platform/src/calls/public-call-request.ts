import { z } from 'zod'
import { lengthAsJson } from '../assistants/length-as-json.js'
import { ApiError } from '../resources/api-error.js'
import type { AssistantRequest } from './call-request.js'
import { MOST_PUBLIC_JSON, MOST_PUBLIC_PROMPT, MOST_PUBLIC_TOKENS } from './public-limits.js'

/** What a page says about its assistant (spec 7.5), and what is harmless beside it. */
const OVERRIDES: readonly string[] = [
  'firstMessage',
  'firstMessageMode',
  'model',
  'variableValues',
  'metadata',
]
/** `provider` and `model` are taken and not used: the stored assistant and the engines choose. */
const MODEL: readonly string[] = ['provider', 'model', 'messages', 'maxTokens', 'emotionRecognitionEnabled']

/** What decides over addresses, secrets, tools and records. An assistant that a public token brings may not have it. */
const TRUSTED_ONLY: readonly string[] = [
  'server',
  'serverMessages',
  'credentials',
  'credentialIds',
  'artifactPlan',
  'analysisPlan',
  'hooks',
]
const TRUSTED_ONLY_MODEL: readonly string[] = [
  'tools',
  'toolIds',
  'knowledgeBase',
  'knowledgeBaseId',
  'url',
  'headers',
]

const smallJson = z
  .unknown()
  .refine((value) => value === undefined || lengthAsJson(value) <= MOST_PUBLIC_JSON, {
    error: `must be shorter than or equal to ${MOST_PUBLIC_JSON} characters of JSON`,
  })
  .optional()

/** The bounds of what a public request may say, beside those of every request. */
export const publicWebCall = z.looseObject({
  assistantOverrides: z
    .looseObject({
      variableValues: smallJson,
      metadata: smallJson,
      model: z
        .looseObject({
          maxTokens: z.number().max(MOST_PUBLIC_TOKENS).optional(),
          messages: z
            .array(
              z.looseObject({
                role: z.enum(['system']),
                content: z.string().max(MOST_PUBLIC_PROMPT).nullable(),
              }),
            )
            .max(1)
            .optional(),
        })
        .optional(),
    })
    .optional(),
})

/** Throws an `ApiError` 403 for a setting that only the private key may choose. */
export function refuseTrustedSettings(request: AssistantRequest): void {
  const { assistant, assistantOverrides } = request
  if (request.assistantVersion !== undefined)
    throw new ApiError(
      403,
      'Without the private key a call may not choose an assistantVersion: the newest speaks.',
    )
  if (assistant) {
    refuse('assistant', assistant, (name) => !TRUSTED_ONLY.includes(name))
    refuse('assistant.model', assistant.model, (name) => !TRUSTED_ONLY_MODEL.includes(name))
  }
  refuse('assistantOverrides', assistantOverrides, (name) => OVERRIDES.includes(name))
  refuse('assistantOverrides.model', assistantOverrides?.model, (name) => MODEL.includes(name))
}

function refuse(where: string, settings: object | undefined, isAllowed: (name: string) => boolean): void {
  const refused = Object.keys(settings ?? {}).find((name) => !isAllowed(name))
  if (refused !== undefined)
    throw new ApiError(
      403,
      `Without the private key a call may not set ${where}.${refused}: set it on the stored assistant, or start the call from your server.`,
    )
}
