import type { AssistantOverrides, CreateAssistant, CreateSquad } from '@heyline/platform-client'
import { withOverrides } from '../assistants/session-assistant.js'
import { ApiError } from '../resources/api-error.js'
import { isHandoffDestination } from './squad-schema.js'

/** An assistant that may speak in a call. */
export interface Member {
  name: string
  id?: string
  assistant: CreateAssistant
  /** The tools by which it hands the call to others of its squad. */
  ways: readonly { type: string; destinations: readonly unknown[] }[]
  /** Values of placeholders that are set for it. */
  values: Record<string, unknown>
}

export type FindAssistant = (id: string) => Promise<CreateAssistant | undefined>

/**
 * The members of a squad, each with its own overrides, then the squad's, then the call's. Rejects with an `ApiError` 400 where one does not
 * exist.
 */
export async function membersOf(
  squad: CreateSquad,
  overrides: AssistantOverrides | undefined,
  find: FindAssistant,
): Promise<Member[]> {
  const members: Member[] = []
  for (const [
    index,
    { assistantId, assistant, assistantOverrides: own, assistantDestinations },
  ] of squad.members.entries()) {
    const whole = assistant ?? (assistantId ? await find(assistantId) : undefined)
    if (!whole) throw new ApiError(400, `members.${index}: assistant ${assistantId} does not exist.`)
    const layers = [own, squad.membersOverrides, overrides]
    const set = layers.reduce(withOverrides, whole)
    members.push({
      name: set.name ?? `member ${index + 1}`,
      ...(assistantId && { id: assistantId }),
      assistant: set,
      ways: waysOf(assistantDestinations ?? []),
      values: Object.assign({}, ...layers.map((layer) => layer?.variableValues)),
    })
  }
  return members
}

/** Throws an `ApiError` 400 where a destination names no member. */
export function refuseLostDestinations(squad: CreateSquad, members: readonly Member[]): void {
  const names = new Set(members.map(({ name }) => name))
  for (const [index, { assistantDestinations }] of squad.members.entries())
    for (const { assistantName } of assistantDestinations ?? [])
      if (assistantName !== undefined && !names.has(assistantName))
        throw new ApiError(
          400,
          `members.${index}.assistantDestinations: no member is called ${assistantName}.`,
        )
}

function waysOf(destinations: readonly object[]): Member['ways'] {
  const handoffs = destinations.filter(isHandoffDestination)
  const transfers = destinations.filter((destination) => !isHandoffDestination(destination))
  return [
    ...(transfers.length > 0 ? [{ type: 'transferCall', destinations: transfers }] : []),
    ...(handoffs.length > 0 ? [{ type: 'handoff', destinations: handoffs }] : []),
  ]
}
