import type { Clock } from '@heyline/kit/clock'
import type { CreateWorkflow } from '@heyline/platform-client'
import type { Logger } from 'pino'
import { z } from 'zod'
import { type CallFacts, callVariables, pageToolVariables, settable } from '../assistants/call-variables.js'
import {
  type GivenHandoffDestination,
  type GivenReading,
  variableExtractionPlan,
} from '../assistants/handoff-schema.js'
import { sessionAssistant } from '../assistants/session-assistant.js'
import { templateFiller, type Variables } from '../assistants/template.js'
import type { ToolSecrets } from '../assistants/tool-secrets.js'
import { aliasedVariables } from '../assistants/variable-aliases.js'
import type { Model, ModelMessage } from '../engines/engine.js'
import { MOST_MATERIAL } from '../knowledge/bounded-material.js'
import type { CallKnowledge } from '../knowledge/call-knowledge.js'
import type { ResourceStore } from '../resources/resource-store.js'
import type { HandoffTarget, NextSpeaker, SessionTool } from '../session/session-assistant.js'
import { type AskedModel, askModel } from '../squads/ask-model.js'
import { HandoffTargets } from '../squads/handoff-targets.js'
import { type FindAssistant, type Member, membersOf } from '../squads/members.js'
import { readVariables } from '../squads/read-variables.js'
import { nodeAssistant } from '../workflows/node-assistant.js'
import { type NodeWays, WorkflowSteps } from '../workflows/workflow-steps.js'
import type { CallRow } from './call-row.js'
import type { CallTools } from './call-tools.js'
import { HandoffServer } from './handoff-server.js'
import { learnedNames } from './learned-names.js'
import { WorkflowTools } from './workflow-tools.js'

const typed = z.looseObject({ type: z.string() })
/** Most characters of what a handoff says. */
const MOST_SAID = 1_000

export interface CallSpeakersOptions {
  model: Model
  find: FindAssistant
  callTools: CallTools
  /** The tools that are stored by themselves. */
  storedTools: ResourceStore
  /** Of the tools that lie in assistants. */
  toolSecrets: ToolSecrets
  /** What a call looks things up in; undefined for one that has nothing. */
  knowledgeOf?: ((call: CallRow, logger: Logger) => CallKnowledge | undefined) | undefined
  clock: Clock
  logger: Logger
}

/** The assistants of one call, each ready to speak: its texts with the call's values, its tools, what it looks things up in. */
export class CallSpeakers {
  readonly #call: CallRow
  readonly #options: CallSpeakersOptions
  readonly #facts: CallFacts
  readonly #variables: Variables
  readonly #targets: HandoffTargets
  readonly #members: Member[] = []
  /** What was read from the conversation for those who take over. */
  readonly #read: Record<string, unknown> = {}
  /** The part of it that belongs to the workflow's node of now. */
  #readHere: Record<string, unknown> = {}
  /** The names of variables that the assistants of a page's call may learn; undefined where those are too many to look at. */
  #learned: ReadonlySet<string> | undefined = new Set()
  readonly #asked: AskedModel

  constructor(call: CallRow, options: CallSpeakersOptions) {
    this.#call = call
    this.#options = options
    const { overrides, customer, caller_proven: callerProven } = call
    this.#facts = { overrides, customer, callerProven }
    this.#variables = callVariables(this.#facts, call.started_at ?? call.created_at)
    const { find, clock, logger, model, callTools } = options
    this.#asked = { model, named: call.assistant.model?.model, clock, logger }
    const server = new HandoffServer(call, callTools)
    this.#targets = new HandoffTargets({
      ...{ members: this.#members, find },
      make: (member, read) => {
        this.#learn(read)
        return this.#make(member)
      },
      read: (plan, said, signal) => this.#readBy(plan, said, signal),
      ask: (tool, given, signal) => server.ask(tool, given, signal),
      text: (template) => templateFiller(this.#valuesFor({}))(template, MOST_SAID),
    })
  }

  /** The one that the call begins with. */
  async first(): Promise<NextSpeaker> {
    const { assistant, assistant_id: id, script } = this.#call
    if (script?.workflow) return await this.#stepsOf(script.workflow).first()
    if (script?.squad) {
      const overrides = this.#call.overrides ?? undefined
      this.#members.push(...(await membersOf(script.squad, overrides, this.#options.find)))
    }
    const [first] = this.#members
    const own = { assistant, name: assistant.name ?? '', ways: [], values: {} }
    // The call keeps the first assistant as it found it.
    return await this.#make(first ? { ...first, assistant } : { ...own, ...(id !== null && { id }) })
  }

  /** What was read from the conversation so far. */
  get variables(): Record<string, unknown> {
    return { ...this.#read }
  }

  /** What was read in the workflow's node that is left now, or at the end of the call. */
  leaveNode(): Record<string, unknown> {
    const read = this.#readHere
    this.#readHere = {}
    return read
  }

  #learn(values: Record<string, unknown>): void {
    Object.assign(this.#read, settable(values))
    Object.assign(this.#readHere, settable(values))
  }

  /** Never rejects. */
  async #readBy(
    { schema, aliases = [] }: GivenReading,
    said: readonly ModelMessage[],
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> {
    const read = schema ? await readVariables(schema, said, signal, this.#asked) : {}
    const { values, now } = this.#toolValuesFor({})
    return { ...read, ...aliasedVariables(aliases, { values: { ...values, ...read }, now }) }
  }

  /** Whom an operator names. */
  named(destination: GivenHandoffDestination): Promise<HandoffTarget | undefined> {
    return this.#targets.named(destination)
  }

  #stepsOf(workflow: CreateWorkflow): WorkflowSteps {
    const { callTools, storedTools, toolSecrets } = this.#options
    const tools = new WorkflowTools({
      call: this.#call,
      callTools,
      storedTools,
      toolSecrets,
      asked: this.#asked,
      learn: (values) => this.#learn(values),
    })
    return new WorkflowSteps({
      workflow,
      make: (node, ways) => {
        const assistant = nodeAssistant(workflow, node)
        return this.#make({ name: node.name, assistant, ways: [], values: {} }, ways)
      },
      runTool: (node, said, signal) => tools.run(node, this.#toolValuesFor({}), said, signal),
      read: async (node, said, signal) => {
        // Checked when the workflow was stored or given.
        const plan = variableExtractionPlan.safeParse(node.variableExtractionPlan).data
        if (plan) this.#learn(await this.#readBy(plan, said, signal))
      },
      leave: () => this.leaveNode(),
      choose: async (said, ways, signal) => (await askModel(said, signal, this.#asked, ways))?.calls[0]?.name,
    })
  }

  async #make({ id, assistant, ways, values }: Member, steps?: NodeWays): Promise<NextSpeaker> {
    const { callTools, knowledgeOf, model, logger } = this.#options
    const settings = [...(await this.#toolsOf(assistant)), ...ways]
    if (this.#call.is_public) await this.#noteLearned(settings)
    const texts = this.#valuesFor(values)
    const variables = this.#toolValuesFor(values)
    const call = { ...this.#call, assistant }
    const own = sessionAssistant(assistant, texts, settings)
    const handoffs = await this.#targets.toolsOf(settings)
    const tools = withHandoffs(own.tools ?? [], [...handoffs, ...(steps?.tools ?? [])])
    const knowledge = knowledgeOf?.(call, logger)
    return {
      ...(id !== undefined && { id }),
      assistant: {
        ...own,
        ...(tools.length > 0 && { tools }),
        ...(knowledge && { materialCharacters: MOST_MATERIAL }),
        ...(steps?.onward && { onward: steps.onward }),
      },
      ...(steps && { node: steps.node }),
      model: knowledge?.model(model) ?? model,
      tools: callTools.of(call, { texts, tools: variables }, settings, (values) => {
        this.#learn(values)
        // Tools that are made already see them, too.
        Object.assign(texts.values, settable(values))
        Object.assign(variables.values, settable(values))
      }).tools,
    }
  }

  /** The call's own values go before those that are set for one assistant, and what was read in the call before both. */
  #valuesFor(values: Record<string, unknown>): Variables {
    const { values: own, now } = this.#variables
    return { now, values: { ...settable(values), ...own, ...this.#read } }
  }

  /** The same for what tools send, where a page's values count for less. */
  #toolValuesFor(values: Record<string, unknown>): Variables {
    if (!this.#call.is_public) return this.#valuesFor(values)
    const { values: own, now } = pageToolVariables(this.#facts, {
      ...{ learned: this.#learned, set: values, now: this.#variables.now },
    })
    return { now, values: { ...own, ...this.#read } }
  }

  /** What this assistant and those after it may learn is learned, whatever the page says. */
  async #noteLearned(settings: unknown): Promise<void> {
    const names = await learnedNames(settings, this.#options)
    this.#learned = names && this.#learned && new Set([...this.#learned, ...names])
  }

  /** The settings of an assistant's tools: its own, and those that it names by their ids. */
  async #toolsOf({ model }: CallRow['assistant']): Promise<z.output<typeof typed>[]> {
    const { tools = [], toolIds = [] } = model ?? {}
    const stored = await this.#options.storedTools.whole(toolIds)
    if (stored.length < toolIds.length)
      this.#options.logger.warn('an assistant names tools that do not exist')
    const own = this.#options.toolSecrets.opened(tools)
    return [...own, ...stored].flatMap((settings) => typed.safeParse(settings).data ?? [])
  }
}

/** Numbers and assistants of one transfer are one tool. */
function withHandoffs(own: readonly SessionTool[], handoffs: readonly SessionTool[]): SessionTool[] {
  const tools = [...own]
  for (const handoff of handoffs) {
    const at = tools.findIndex(({ name }) => name === handoff.name)
    const before = tools[at]
    if (!before) tools.push(handoff)
    else if (before.type === 'transferCall' && handoff.type === 'transferCall')
      tools[at] = { ...before, assistants: [...(before.assistants ?? []), ...(handoff.assistants ?? [])] }
    else if (before.type === 'handoff' && handoff.type === 'handoff' && !before.ask && !handoff.ask)
      tools[at] = { ...before, destinations: [...before.destinations, ...handoff.destinations] }
  }
  return tools
}
