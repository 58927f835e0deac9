import type { CreateWorkflow } from '@heyline/platform-client'
import { z } from 'zod'
import { storedAssistant, variableValues } from '../assistants/assistant-schema.js'
import { variableExtractionPlan } from '../assistants/handoff-schema.js'
import { assistantTools } from '../assistants/tool-schema.js'

/** Most nodes of a workflow, and most edges. */
const MOST_NODES = 100
const MOST_EDGES = 300
const MOST_PROMPT = 5_000
const MOST_CONDITION = 1_000

const name = z.string().trim().min(1).max(80)
const { model, voice } = storedAssistant.shape
const condition = z.string().max(MOST_CONDITION)
const known = {
  name,
  isStart: z.boolean().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
}

/** What a tool node can do. */
const TOOLS: ReadonlySet<string> = new Set(['function', 'apiRequest', 'query', 'endCall', 'transferCall'])

const conversationNode = z.strictObject({
  type: z.literal('conversation'),
  ...known,
  prompt: z.string().max(MOST_PROMPT).optional(),
  ...{ model, voice, transcriber: z.unknown().optional() },
  globalNodePlan: z
    .strictObject({ enabled: z.boolean().optional(), enterCondition: condition.optional() })
    .optional(),
  variableExtractionPlan: variableExtractionPlan.optional(),
})

const toolNode = z
  .strictObject({
    type: z.literal('tool'),
    ...known,
    tool: z.looseObject({ type: z.string() }).optional(),
    toolId: z.uuid().optional(),
  })
  .superRefine(({ tool, toolId }, context) => {
    if ((tool === undefined) === (toolId === undefined))
      context.addIssue({ code: 'custom', message: 'must have either a tool or a toolId' })
    if (!tool) return
    if (!TOOLS.has(tool.type))
      context.addIssue({
        code: 'custom',
        path: ['tool', 'type'],
        message: `${tool.type} is not served in a workflow: use ${[...TOOLS].join(', ')}`,
      })
    for (const issue of assistantTools.safeParse([tool]).error?.issues ?? [])
      context.addIssue({ ...issue, path: ['tool', ...issue.path.slice(1)] })
  })

const edge = z.strictObject({
  from: name,
  to: name,
  condition: z
    .strictObject({
      type: z.literal('ai', { error: 'must be ai: other conditions are not served' }),
      prompt: condition.min(1),
    })
    .optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
})

/** What a workflow says of its calls as an assistant does. */
const plans = storedAssistant.pick({
  voice: true,
  model: true,
  server: true,
  analysisPlan: true,
  startSpeakingPlan: true,
  stopSpeakingPlan: true,
  keypadInputPlan: true,
  backgroundSound: true,
  voicemailMessage: true,
  credentials: true,
  maxDurationSeconds: true,
}).shape
/** Stored, and not acted on, as of an assistant. */
const STORED_ONLY = [
  'artifactPlan',
  'backgroundSpeechDenoisingPlan',
  'compliancePlan',
  'credentialIds',
  'hooks',
  'monitorPlan',
  'observabilityPlan',
  'transcriber',
  'voicemailDetection',
] as const

const settings = z
  .strictObject({
    ...plans,
    ...Object.fromEntries(STORED_ONLY.map((name) => [name, z.unknown().optional()])),
    name,
    nodes: z
      .array(z.discriminatedUnion('type', [conversationNode, toolNode]))
      .min(1)
      .max(MOST_NODES),
    edges: z.array(edge).max(MOST_EDGES),
    globalPrompt: z.string().max(MOST_PROMPT).optional(),
  })
  .superRefine(({ nodes, edges }, context) => {
    const refuse = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    const names = new Set<string>()
    for (const [index, node] of nodes.entries()) {
      if (names.has(node.name)) refuse(['nodes', index, 'name'], `${node.name} is the name of two nodes`)
      names.add(node.name)
    }
    const starts = nodes.filter(({ isStart }) => isStart)
    if (starts.length !== 1) refuse(['nodes'], 'must have exactly one node with isStart')
    if (starts.some(({ type }) => type === 'tool'))
      refuse(['nodes'], 'must begin with a conversation node: another start is not served')
    for (const [index, { from, to }] of edges.entries())
      for (const [end, node] of Object.entries({ from, to }))
        if (!names.has(node)) refuse(['edges', index, end], `there is no node ${node}`)
    const always = edges.filter(({ condition }) => !condition).map(({ from }) => from)
    for (const from of new Set(always))
      if (always.filter((other) => other === from).length > 1)
        refuse(['edges'], `${from} has more than one edge without a condition`)
  })

/** A workflow that is stored, or given inline in a call. */
export const workflowSettings: z.ZodType<Record<string, unknown>> = settings

/** Reads a workflow that was checked before. */
export const readWorkflow = (value: unknown): CreateWorkflow =>
  z.custom<CreateWorkflow>().parse(settings.parse(value))

/** What a call changes about its workflow. */
export const workflowOverrides = z.strictObject({ variableValues: variableValues.optional() })

/** The workflows that are stored. */
export const WORKFLOW_FAMILY = {
  name: 'workflow',
  secrets: { server: ['secret', 'headers'] },
  destinations: ['server.url'],
}
