import type { ResourceStore } from '../resources/resource-store.js'
import type { FindAssistant } from '../squads/members.js'

/** Most assistants that are looked at. */
const MOST_ASSISTANTS = 50
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

export interface LearningSources {
  find: FindAssistant
  /** The tools that are stored by themselves. */
  storedTools: Pick<ResourceStore, 'whole'>
}

/** What settings say at any depth. */
interface Said {
  names: Set<string>
  assistantIds: Set<string>
  toolIds: Set<string>
}

/**
 * The names of the variables that tools and handoffs of an assistant may learn (`variableExtractionPlan`), and those of all who may take over
 * from it. Undefined where those are too many to look at.
 */
export async function learnedNames(
  settings: unknown,
  { find, storedTools }: LearningSources,
): Promise<ReadonlySet<string> | undefined> {
  const said: Said = { names: new Set(), assistantIds: new Set(), toolIds: new Set() }
  gather(settings, said)
  const seen = { assistants: new Set<string>(), tools: new Set<string>() }
  for (;;) {
    const tools = [...said.toolIds].filter((id) => !seen.tools.has(id))
    const assistants = [...said.assistantIds].filter((id) => !seen.assistants.has(id))
    if (tools.length + assistants.length === 0) return said.names
    if (said.assistantIds.size > MOST_ASSISTANTS) return undefined
    for (const id of tools) seen.tools.add(id)
    for (const id of assistants) seen.assistants.add(id)
    gather([await storedTools.whole(tools), await Promise.all(assistants.map(find))], said)
  }
}

function gather(value: unknown, said: Said): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'variableExtractionPlan') gatherPlan(inner, said.names)
    if (name === 'assistantId') addIds([inner], said.assistantIds)
    if (name === 'toolIds') addIds([inner].flat(), said.toolIds)
    gather(inner, said)
  }
}

function addIds(given: readonly unknown[], ids: Set<string>): void {
  for (const id of given) if (typeof id === 'string' && UUID.test(id)) ids.add(id.toLowerCase())
}

/** A value takes its property's name, or `target`; one within a value takes its `target`. */
function gatherPlan(plan: unknown, names: Set<string>): void {
  const { schema, aliases } = Object(plan)
  for (const name of Object.keys(Object(Object(schema).properties))) names.add(name)
  for (const { key } of Array.isArray(aliases) ? aliases.map(Object) : [])
    if (typeof key === 'string') names.add(key)
  gatherTargets(schema, names)
}

function gatherTargets(schema: unknown, names: Set<string>): void {
  if (typeof schema !== 'object' || schema === null) return
  for (const [name, inner] of Object.entries(schema)) {
    if (name === 'target' && typeof inner === 'string') names.add(inner)
    gatherTargets(inner, names)
  }
}
