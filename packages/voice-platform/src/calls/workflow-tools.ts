import { randomUUID } from 'node:crypto'
import type { ToolNode } from '@heyline/platform-client'
import { z } from 'zod'
import { templateFiller, type Variables } from '../assistants/template.js'
import { sessionTools } from '../assistants/tool-schema.js'
import type { ToolSecrets } from '../assistants/tool-secrets.js'
import type { ModelMessage } from '../engines/engine.js'
import type { ResourceStore } from '../resources/resource-store.js'
import { type AskedModel, askModel } from '../squads/ask-model.js'
import type { CallTool } from '../tools/call-tool.js'
import type { ToolStep } from '../workflows/workflow-steps.js'
import type { CallRow } from './call-row.js'
import type { CallTools } from './call-tools.js'

const MOST_SAID = 1_000
const MOST_RESULT = 8_000

const typed = z.looseObject({ type: z.string() })
const parametersOf = z.looseObject({ properties: z.record(z.string(), z.unknown()) })

export interface WorkflowToolsOptions {
  call: CallRow
  callTools: CallTools
  storedTools: ResourceStore
  toolSecrets: ToolSecrets
  asked: AskedModel
  /** Variables of the call from now on. */
  learn(values: Record<string, unknown>): void
}

/** Does what the tool nodes of a workflow do. */
export class WorkflowTools {
  readonly #options: WorkflowToolsOptions

  constructor(options: WorkflowToolsOptions) {
    this.#options = options
  }

  async run(
    { tool, toolId }: ToolNode,
    variables: Variables,
    said: readonly ModelMessage[],
    signal: AbortSignal,
  ): Promise<ToolStep> {
    const { call, callTools, storedTools, toolSecrets, learn } = this.#options
    const [stored] = toolId === undefined ? toolSecrets.opened([tool]) : await storedTools.whole([toolId])
    const settings = typed.safeParse(stored).data
    if (!settings) return { type: 'refused', why: 'its tool does not exist' }
    const text = (template: string) => templateFiller(variables)(template, MOST_SAID)
    const [own] = sessionTools([settings], text)
    if (own?.type === 'endCall') return { type: 'end', ...(own.message && { message: own.message }) }
    if (own?.type === 'transferCall') {
      const [destination] = own.destinations
      return destination ? { type: 'transfer', destination } : { type: 'refused', why: 'it has no number' }
    }
    const [used] = callTools.of(call, { texts: variables, tools: variables }, [settings], learn).tools
    if (!used) return { type: 'refused', why: `a tool of the type ${settings.type} is not served` }
    const given = await this.#argumentsOf(used, said, signal)
    const outcome = await used.run(given, { signal, toolCallId: `step_${randomUUID()}` })
    const result = 'result' in outcome ? outcome.result : `Error: ${outcome.error}`
    return { type: 'ran', result: result.slice(0, MOST_RESULT) }
  }

  /** What the model gives the tool. Without parameters nobody is asked. */
  async #argumentsOf(
    { model }: CallTool,
    said: readonly ModelMessage[],
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> {
    const { properties } = parametersOf.safeParse(model.parameters).data ?? { properties: {} }
    if (Object.keys(properties).length === 0) return {}
    const task: ModelMessage = { role: 'system', content: `Use the tool ${model.name} now.` }
    const answer = await askModel([...said, task], signal, this.#options.asked, [model])
    return answer?.calls.find(({ name }) => name === model.name)?.arguments ?? {}
  }
}
