import type { ConversationNode, CreateWorkflow, ToolNode, WorkflowEdge } from '@heyline/platform-client'
import type { ModelMessage, ModelTool } from '../engines/engine.js'
import type {
  HandoffTarget,
  NextSpeaker,
  Opened,
  SessionAssistant,
  SessionTool,
} from '../session/session-assistant.js'

/** Most tools that run between two nodes that speak. */
const MOST_TOOLS_AT_ONCE = 20

/** What became of a tool node. */
export type ToolStep =
  | { type: 'ran'; result: string }
  | Extract<Opened, { type: 'end' | 'transfer' | 'refused' }>

/** How somebody who speaks in a node goes on. */
export interface NodeWays {
  node: string
  tools: SessionTool[]
  onward?: SessionAssistant['onward']
}

export interface WorkflowStepsOptions {
  workflow: CreateWorkflow
  /** Makes whoever speaks in a node. */
  make(node: ConversationNode, ways: NodeWays): Promise<NextSpeaker>
  runTool(node: ToolNode, said: readonly ModelMessage[], signal: AbortSignal): Promise<ToolStep>
  /** What was read in the node that is left now. Left out where nothing is. */
  leave?(): Record<string, unknown>
  /** Reads a node's variables from what was said, and keeps them. Never rejects. */
  read(node: ConversationNode, said: readonly ModelMessage[], signal: AbortSignal): Promise<void>
  /** Which of these a model uses at this point; undefined where none. Never rejects. */
  choose(
    said: readonly ModelMessage[],
    ways: readonly ModelTool[],
    signal: AbortSignal,
  ): Promise<string | undefined>
}

/** The way through a workflow: from its start along its edges. A model takes the edges with a condition. */
export class WorkflowSteps {
  readonly #options: WorkflowStepsOptions

  constructor(options: WorkflowStepsOptions) {
    this.#options = options
  }

  async first(): Promise<NextSpeaker> {
    const start = this.#options.workflow.nodes.find(({ isStart }) => isStart)
    if (start?.type !== 'conversation')
      throw new Error('The workflow has no conversation node to begin with.')
    return await this.#options.make(start, this.#waysOf(start))
  }

  #waysOf(node: ConversationNode): NodeWays {
    const { nodes } = this.#options.workflow
    const edges = this.#edgesOf(node.name)
    const globals = nodes.flatMap((other) =>
      other.type === 'conversation' && other !== node && other.globalNodePlan?.enabled
        ? [{ to: other.name, when: other.globalNodePlan.enterCondition || other.name }]
        : [],
    )
    const ways = [
      ...edges.flatMap(({ to, condition }) => (condition ? [{ to, when: condition.prompt }] : [])),
      ...globals,
    ]
    const always = edges.find(({ condition }) => !condition)
    const next = always && this.#node(always.to)
    return {
      node: node.name,
      tools: ways.map(({ to, when }, index) => ({
        ...{ type: 'way', name: `way_${index + 1}`, description: when },
        target: this.#target(node, to),
      })),
      // Whoever is asked something answers before the next node speaks. A tool waits for nobody.
      ...(next && {
        onward: { target: this.#target(node, next.name), once: next.type === 'tool' ? 'spoken' : 'answered' },
      }),
    }
  }

  #target(from: ConversationNode, to: string): HandoffTarget {
    return {
      ...{ name: to, history: 'all', isStep: true },
      open: async (said, signal) => {
        if (from.variableExtractionPlan) await this.#options.read(from, said, signal)
        const opened = await this.#open(to, said, signal)
        const read = this.#options.leave?.()
        return { ...opened, ...(read && { read }) }
      },
    }
  }

  async #open(to: string, said: readonly ModelMessage[], signal: AbortSignal): Promise<Opened> {
    const { make, runTool } = this.#options
    const heard = [...said]
    const results: string[] = []
    for (let name: string | undefined = to, tools = 0; name !== undefined; tools += 1) {
      const node = this.#node(name)
      if (node.type === 'conversation') {
        const speaker = await make(node, this.#waysOf(node))
        return { type: 'speaker', speaker, ...(results.length > 0 && { results }) }
      }
      if (tools >= MOST_TOOLS_AT_ONCE) return { type: 'refused', why: 'too many tools follow one another' }
      const step = await runTool(node, heard, signal)
      if (step.type !== 'ran') return step
      const result = `${node.name}: ${step.result}`
      results.push(result)
      heard.push({ role: 'system', content: result })
      name = await this.#after(node.name, heard, signal)
    }
    return { type: 'refused', why: 'no edge leads on from its tool' }
  }

  /** Where a tool node leads. */
  async #after(
    name: string,
    said: readonly ModelMessage[],
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const edges = this.#edgesOf(name)
    const conditional = edges.flatMap(({ to, condition }) =>
      condition ? [{ to, when: condition.prompt }] : [],
    )
    const always = edges.find(({ condition }) => !condition)?.to
    if (conditional.length === 0) return always
    const ways = conditional.map(({ when }, index) => ({
      ...{ name: `way_${index + 1}`, condition: when },
      description: `Use this if it is true: ${when}`,
      parameters: { type: 'object', properties: {} },
    }))
    const chosen = await this.#options.choose(said, ways, signal)
    return conditional[ways.findIndex((way) => way.name === chosen)]?.to ?? always
  }

  #edgesOf(name: string): WorkflowEdge[] {
    return this.#options.workflow.edges.filter(({ from }) => from === name)
  }

  #node(name: string): ConversationNode | ToolNode {
    const node = this.#options.workflow.nodes.find((one) => one.name === name)
    if (!node) throw new Error(`The workflow has no node ${name}.`)
    return node
  }
}
