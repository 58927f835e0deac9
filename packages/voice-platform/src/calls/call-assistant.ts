import type { AssistantOverrides, CreateAssistant } from '@heyline/platform-client'
import type { AssistantStore } from '../assistants/assistant-store.js'
import { withOverrides } from '../assistants/session-assistant.js'
import { ApiError } from '../resources/api-error.js'
import type { AssistantRequest } from './call-request.js'

/** The assistant of a call: what the request named, and the settings that result. */
export interface CallAssistant {
  assistantId?: string
  assistantGiven?: CreateAssistant
  overrides?: AssistantOverrides
  assistant: CreateAssistant
}

const NOT_SERVED = ['squad', 'squadId', 'workflow', 'workflowId', 'workflowOverrides'] as const

type SpeakerRequest = AssistantRequest & Partial<Record<(typeof NOT_SERVED)[number], unknown>>

/**
 * Finds the assistant of a call. Rejects with an `ApiError`: 400 where none is named or it does not exist, 422 for squads and
 * workflows. With `keepsModel` the overrides choose no model: the assistant's own stays.
 */
export async function findCallAssistant(
  body: SpeakerRequest,
  assistants: AssistantStore,
  { keepsModel = false }: { keepsModel?: boolean } = {},
): Promise<CallAssistant> {
  refuseOtherSpeakers(body)
  const { secrets } = assistants
  const { assistantId } = body
  const given = body.assistant && secrets.sealed(body.assistant)
  const asked = body.assistantOverrides && secrets.sealed(body.assistantOverrides)
  if (assistantId !== undefined && given)
    throw new ApiError(400, 'Only one of assistant and assistantId can be provided.')
  if (given && body.assistantVersion !== undefined)
    throw new ApiError(400, 'assistantVersion is a version of a stored assistant: give assistantId.')
  const assistant = given ?? (await findStored(assistantId, body.assistantVersion, assistants))
  const overrides = keepsModel ? withModelOf(assistant, asked) : asked
  return {
    ...(assistantId !== undefined && { assistantId }),
    ...(given && { assistantGiven: given }),
    ...(overrides && { overrides }),
    assistant: withOverrides(assistant, overrides),
  }
}

/** Throws an `ApiError` 422 for a squad or a workflow. */
export function refuseOtherSpeakers(body: SpeakerRequest): void {
  for (const name of NOT_SERVED)
    if (body[name] !== undefined)
      throw ApiError.notServed(`The built-in voice platform runs assistants only: ${name} is not served.`)
}

async function findStored(
  id: string | undefined,
  version: string | undefined,
  assistants: AssistantStore,
): Promise<CreateAssistant> {
  if (id === undefined)
    throw new ApiError(
      400,
      "Couldn't start the call: one of assistant, assistantId, squad, squadId, workflow or workflowId must be provided.",
    )
  const stored = await (version === undefined ? assistants.find(id) : assistants.versions.find(id, version))
  if (!stored)
    throw new ApiError(
      400,
      `Couldn't get assistant: ${id}${version === undefined ? '' : ` version ${version}`} does not exist.`,
    )
  return stored
}

/** The overrides with the model that this assistant names, in place of the one they name. */
function withModelOf(
  { model: own }: CreateAssistant,
  overrides: AssistantOverrides | undefined,
): AssistantOverrides | undefined {
  if (!overrides?.model) return overrides
  const { provider, model: _, ...settings } = overrides.model
  const name = own?.model !== undefined ? { model: own.model } : {}
  return { ...overrides, model: { ...settings, provider: own?.provider ?? provider, ...name } }
}
