import { type FindAssistant, membersOf, refuseLostDestinations } from './members.js'
import { readSquad } from './squad-schema.js'

/** Rejects with an `ApiError` 400 where a squad names an assistant or a member that does not exist. */
export async function refuseBrokenSquad(
  settings: Record<string, unknown>,
  find: FindAssistant,
): Promise<void> {
  const squad = readSquad(settings)
  refuseLostDestinations(squad, await membersOf(squad, undefined, find))
}
