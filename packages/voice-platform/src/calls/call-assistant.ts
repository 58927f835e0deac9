import type { AssistantOverrides, CreateAssistant } from '@heyline/platform-client'
import type { AssistantStore } from '../assistants/assistant-store.js'
import { withOverrides } from '../assistants/session-assistant.js'
import { ApiError } from '../resources/api-error.js'
import type { ResourceStore } from '../resources/resource-store.js'
import { membersOf, refuseLostDestinations } from '../squads/members.js'
import { readSquad } from '../squads/squad-schema.js'
import { nodeAssistant } from '../workflows/node-assistant.js'
import { readWorkflow } from '../workflows/workflow-schema.js'
import type { AssistantRequest } from './call-request.js'
import type { CallScript } from './call-script.js'

/** The assistant of a call: what the request named, and the settings that result. */
export interface CallAssistant {
  assistantId?: string
  assistantGiven?: CreateAssistant
  overrides?: AssistantOverrides
  /** The one that speaks first. */
  assistant: CreateAssistant
  squadId?: string
  workflowId?: string
  script?: CallScript
}

/** Where squads and workflows are stored. */
export interface Scripts {
  workflows: Pick<ResourceStore, 'whole'>
  squads: Pick<ResourceStore, 'whole'>
}

interface FindOptions {
  keepsModel?: boolean
  scripts?: Scripts
  before?: { assistant?: CreateAssistant | undefined; overrides?: AssistantOverrides | undefined }
}

const SQUADS = ['squad', 'squadId', 'squadOverrides'] as const
const WORKFLOWS = ['workflow', 'workflowId', 'workflowOverrides'] as const

/**
 * Finds the assistant of a call. Rejects with an `ApiError`: 400 where none is named or it does not exist, 422 for squads and
 * workflows where no `scripts` are given. With `keepsModel` the overrides choose no model: the assistant's own stays. Tools of the assistant
 * and of the overrides keep the secrets that they had `before`.
 */
export async function findCallAssistant(
  body: AssistantRequest,
  assistants: AssistantStore,
  { keepsModel = false, scripts, before }: FindOptions = {},
): Promise<CallAssistant> {
  if (!scripts) refuseOtherSpeakers(body)
  const { secrets } = assistants
  if (scripts && SQUADS.some((name) => body[name] !== undefined))
    return await findSquad(secrets.sealed(body), scripts, assistants)
  if (scripts && WORKFLOWS.some((name) => body[name] !== undefined))
    return await findWorkflow(secrets.sealed(body), scripts)
  const { assistantId } = body
  const given = body.assistant && secrets.sealed(body.assistant, before?.assistant)
  const asked = body.assistantOverrides && secrets.sealed(body.assistantOverrides, before?.overrides)
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

/** Throws an `ApiError` 422 for a squad or a workflow: who has no private key gets assistants. */
function refuseOtherSpeakers(body: AssistantRequest): void {
  for (const name of [...SQUADS, ...WORKFLOWS])
    if (body[name] !== undefined)
      throw ApiError.notServed(
        `Without the private key the built-in voice platform runs assistants only: ${name} is not served.`,
      )
}

/** A workflow begins with its start. */
async function findWorkflow(body: AssistantRequest, { workflows }: Scripts): Promise<CallAssistant> {
  const { workflowId, workflow: given, workflowOverrides } = body
  const others = [body.assistant, body.assistantId, body.assistantOverrides, workflowId && given]
  if (others.some((other) => other !== undefined))
    throw new ApiError(400, 'Only one of workflow and workflowId can be provided, and no assistant with it.')
  const [stored] = workflowId === undefined ? [given] : await workflows.whole([workflowId])
  if (!stored)
    throw new ApiError(
      400,
      workflowId === undefined
        ? 'workflowOverrides belong to a workflow: give workflow or workflowId.'
        : `Couldn't get workflow: ${workflowId} does not exist.`,
    )
  const workflow = readWorkflow(stored)
  const start = workflow.nodes.find(({ isStart }) => isStart)
  if (start?.type !== 'conversation') throw new ApiError(400, 'A workflow begins with a conversation node.')
  const variableValues = workflowOverrides?.variableValues
  return {
    ...(workflowId !== undefined && { workflowId }),
    ...(variableValues && { overrides: { variableValues } }),
    assistant: nodeAssistant(workflow, start),
    script: { workflow },
  }
}

/** A squad begins with its first member. */
async function findSquad(
  body: AssistantRequest,
  { squads }: Scripts,
  assistants: AssistantStore,
): Promise<CallAssistant> {
  const { squadId, squad: given, squadOverrides, assistantOverrides } = body
  if (body.assistant || body.assistantId !== undefined || (given && squadId !== undefined))
    throw new ApiError(400, 'Only one of assistant, assistantId, squad and squadId can be provided.')
  const [stored] = squadId === undefined ? [given] : await squads.whole([squadId])
  if (!stored)
    throw new ApiError(
      400,
      squadId === undefined
        ? 'squadOverrides belong to a squad: give squad or squadId.'
        : `Couldn't get squad: ${squadId} does not exist.`,
    )
  const squad = readSquad(stored)
  const overrides = squadOverrides ?? assistantOverrides
  const members = await membersOf(squad, overrides, (id) => assistants.find(id))
  refuseLostDestinations(squad, members)
  const [first] = members
  if (!first) throw new ApiError(400, 'A squad has at least one member.')
  return {
    ...(squadId !== undefined && { squadId }),
    ...(overrides && { overrides }),
    assistant: first.assistant,
    script: { squad },
  }
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
