import type { AssistantOverrides, CreateAssistant } from './assistant.js'
import type { HandoffDestination } from './handoff-destination.js'
import type { ListQuery } from './page.js'
import type { AssistantDestination } from './transfer-destination.js'

/** One assistant of a squad, stored (by id) or inline. */
export interface SquadMember {
  assistantId?: string | null
  assistant?: CreateAssistant
  /** What the squad changes about this assistant. Comes before `membersOverrides`, which replace what both give. */
  assistantOverrides?: AssistantOverrides
  /** The members that it may hand the call to. */
  assistantDestinations?: (AssistantDestination | HandoffDestination)[]
}

/** Body of `squads.create`, and a squad given inline in a call. */
export interface CreateSquad {
  name?: string
  /** The call begins with the first. */
  members: SquadMember[]
  /** What the squad changes about all of its assistants. */
  membersOverrides?: AssistantOverrides
}

/** Body of `squads.update`. The members are always given, all of them. */
export type UpdateSquad = CreateSquad

/** A stored squad. */
export interface Squad extends CreateSquad {
  id: string
  orgId: string
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
}

/** Query of `squads.list`. */
export type ListSquads = ListQuery
