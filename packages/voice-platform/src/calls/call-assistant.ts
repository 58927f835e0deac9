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

/**
 * Finds the assistant of a call. Rejects with an `ApiError`: 400 where none is named or it does not exist, 501 for squads and
 * workflows. Every reader of the page has the public key. So a request with it cannot choose where server messages go, which are sent,
 * how they are signed, or what is kept of the call: it could make this server call any address, or hide a call.
 */
export async function findCallAssistant(
  body: AssistantRequest & Partial<Record<(typeof NOT_SERVED)[number], unknown>>,
  { assistants, trusted }: { assistants: AssistantStore; trusted: boolean },
): Promise<CallAssistant> {
  for (const name of NOT_SERVED)
    if (body[name] !== undefined)
      throw new ApiError(501, `The built-in voice platform runs assistants only: ${name} is not served.`)
  const { assistantId } = body
  const given = trusted ? body.assistant : asThePublicMay(body.assistant)
  const overrides = trusted ? body.assistantOverrides : asThePublicMay(body.assistantOverrides)
  if (assistantId !== undefined && given)
    throw new ApiError(400, 'Only one of assistant and assistantId can be provided.')
  const assistant = given ?? (await findStored(assistantId, assistants))
  return {
    ...(assistantId !== undefined && { assistantId }),
    ...(given && { assistantGiven: given }),
    ...(overrides && { overrides }),
    assistant: withOverrides(assistant, overrides),
  }
}

async function findStored(id: string | undefined, assistants: AssistantStore): Promise<CreateAssistant> {
  if (id === undefined)
    throw new ApiError(
      400,
      "Couldn't start the call: one of assistant, assistantId, squad, squadId, workflow or workflowId must be provided.",
    )
  const stored = await assistants.find(id)
  if (!stored) throw new ApiError(400, `Couldn't get assistant: ${id} does not exist.`)
  return stored
}

function asThePublicMay<Settings extends CreateAssistant>(
  settings: Settings | undefined,
): Settings | undefined {
  if (!settings) return undefined
  const rest = { ...settings }
  delete rest.server
  delete rest.credentials
  delete rest.serverMessages
  delete rest.artifactPlan
  return rest
}
