import { z } from 'zod'
import { type CallFacts, pageToolVariables, settable } from '../assistants/call-variables.js'
import type { Variables } from '../assistants/template.js'
import type { ToolSecrets } from '../assistants/tool-secrets.js'
import type { CallTools } from '../calls/call-tools.js'
import { learnedNames } from '../calls/learned-names.js'
import type { WritingRow } from '../calls/message-body.js'
import type { ResourceStore } from '../resources/resource-store.js'
import type { CallTool } from '../tools/call-tool.js'

const typed = z.looseObject({
  type: z.string(),
  function: z.looseObject({ name: z.string().optional(), description: z.string().optional() }).optional(),
})

/** What only a call can do. */
const NEEDS_CALL: ReadonlySet<string> = new Set([
  ...['transferCall', 'handoff', 'dtmf', 'endCall', 'voicemail', 'sms'],
])

export interface ChatToolsOptions {
  callTools: CallTools
  /** The tools that are stored by themselves. */
  storedTools: Pick<ResourceStore, 'whole'>
  /** Of the tools that lie in assistants. */
  toolSecrets: ToolSecrets
}

/** What fills the tools of a chat. */
export interface ChatValues {
  facts: CallFacts
  texts: Variables
  /** A page has chosen the values. */
  isPublic: boolean
  /** A member below admin has named the customer, whose values count for as much as a page's. */
  isCustomerOfMember: boolean
}

/** The tools of one chat. The model may use those that need a call, too, and reads that they are not there. */
export async function chatTools(
  { callTools, storedTools, toolSecrets }: ChatToolsOptions,
  row: WritingRow,
  { facts, texts, isPublic, isCustomerOfMember }: ChatValues,
): Promise<CallTool[]> {
  const { tools = [], toolIds = [] } = row.assistant.model ?? {}
  const given = [...toolSecrets.opened(tools), ...(await storedTools.whole(toolIds))]
  const settings = given.flatMap((tool) => typed.safeParse(tool).data ?? [])
  // Nobody else takes over a chat.
  const learn = () => learnedNames(settings, { find: async () => undefined, storedTools })
  const { overrides, ...withoutOverrides } = facts
  const { now } = texts
  const variables = isPublic
    ? pageToolVariables(facts, { learned: await learn(), now })
    : isCustomerOfMember
      ? pageToolVariables(withoutOverrides, { learned: await learn(), set: overrides?.variableValues, now })
      : texts
  const served = callTools.of(row, { texts, tools: variables }, settings, (values) => {
    Object.assign(texts.values, settable(values))
    Object.assign(variables.values, settable(values))
  }).tools
  return onePerName([...served, ...settings.filter(({ type }) => NEEDS_CALL.has(type)).map(refused)])
}

function refused({
  type,
  function: { name = type, description = `Does ${type}.` } = {},
}: z.output<typeof typed>): CallTool {
  return {
    model: { name, description, parameters: { type: 'object', properties: {} } },
    run: async () => ({
      error: `${name} was not done: it needs a call, and this is a chat. Tell the user, and go on without it.`,
    }),
  }
}

/** Of two with one name, the first counts. */
const onePerName = (tools: readonly CallTool[]): CallTool[] => [
  ...new Map(tools.toReversed().map((tool) => [tool.model.name, tool])).values(),
]
