import { DTMF_KEYS } from '../audio/dtmf-tones.js'
import type { ModelTool, ToolCall } from '../engines/engine.js'
import type { TransferDestination } from './bridge-call.js'
import type { HandoffTarget, SessionTool } from './session-assistant.js'

export type { SessionTool } from './session-assistant.js'

/** Most keys that are pressed at once. */
const MOST_KEYS = 32

/** What the model asks for. */
export type ToolUse =
  | { type: 'transfer'; destination: TransferDestination }
  | { type: 'handoff'; target: HandoffTarget }
  | { type: 'dtmf'; keys: string }
  | { type: 'endCall'; message?: string }
  /** Something that it may not do: why, for the model to read. */
  | { type: 'refused'; why: string }

/** The tools as a model reads them. */
export const modelTools = (tools: readonly SessionTool[]): ModelTool[] => tools.map(modelTool)

function modelTool(tool: SessionTool): ModelTool {
  if (tool.type === 'dtmf')
    return {
      name: tool.name,
      description: tool.description ?? 'Presses keys of the phone, for example to choose from a menu.',
      parameters: parameter('dtmf', { type: 'string', description: 'The keys: 0 to 9, *, # and A to D.' }),
    }
  if (tool.type === 'endCall')
    return {
      name: tool.name,
      description:
        tool.description ?? 'Ends the call. Say goodbye first. Use it only when the conversation is over.',
      parameters: { type: 'object', properties: {} },
    }
  if (tool.type === 'way')
    return {
      name: tool.name,
      ...(tool.description !== undefined && { condition: tool.description }),
      description: `Goes on with the next step of the conversation. Use it as soon as this is true: ${tool.description ?? tool.target.name}`,
      parameters: { type: 'object', properties: {} },
    }
  if (tool.type === 'handoff' && tool.ask)
    return {
      name: tool.name,
      description: tool.description ?? 'Hands the call to the assistant that can help the caller.',
      parameters: tool.parameters ?? { type: 'object', properties: {} },
    }
  const choices = choicesOf(tool)
  const lines = choices.map(({ name, description }) => `${name}${description ? `: ${description}` : ''}`)
  const task = tool.description ?? TASKS[tool.type]
  return {
    name: tool.name,
    description: `${task}\nDestinations:\n${lines.join('\n')}`,
    parameters: parameter('destination', {
      type: 'string',
      enum: choices.map(({ name }) => name),
    }),
  }
}

const TASKS = {
  transferCall: 'Transfers the call to somebody else, if the caller asks for that.',
  handoff: 'Hands the call to another assistant, where that one can help the caller better.',
}

type Choosing = Extract<SessionTool, { type: 'transferCall' | 'handoff' }>

/** What the model chooses from, by name. */
function choicesOf(tool: Choosing): { name: string; description?: string | undefined; use: ToolUse }[] {
  const assistants = (tool.type === 'handoff' ? tool.destinations : (tool.assistants ?? [])).map(
    (target) => ({
      ...{ name: target.name, description: target.description },
      use: { type: 'handoff', target } as const,
    }),
  )
  if (tool.type === 'handoff') return assistants
  const numbers = tool.destinations.map((destination) => ({
    ...{ name: destination.number, description: destination.description },
    use: { type: 'transfer', destination } as const,
  }))
  return [...numbers, ...assistants]
}

const parameter = (name: string, schema: object) => ({
  type: 'object',
  properties: { [name]: schema },
  required: [name],
})

/** What a call of a tool means. A destination that the tool does not list is refused, whoever has named it. */
export function toolUse(tools: readonly SessionTool[], call: Omit<ToolCall, 'id'>): ToolUse {
  const tool = tools.find(({ name }) => name === call.name)
  if (!tool) return { type: 'refused', why: 'There is no such tool.' }
  if (tool.type === 'dtmf') {
    const keys = String(call.arguments.dtmf ?? '')
    if (DTMF_KEYS.test(keys) && keys.length <= MOST_KEYS) return { type: 'dtmf', keys }
    return { type: 'refused', why: `No keys were pressed: they are 1 to ${MOST_KEYS} of 0-9, *, # and A-D.` }
  }
  if (tool.type === 'endCall')
    return { type: 'endCall', ...(tool.message !== undefined && { message: tool.message }) }
  if (tool.type === 'way') return { type: 'handoff', target: tool.target }
  if (tool.type === 'handoff' && tool.ask) return { type: 'handoff', target: tool.ask(call.arguments) }
  const choices = choicesOf(tool)
  const asked = call.arguments.destination
  const chosen =
    asked === undefined && choices.length === 1 ? choices[0] : choices.find(({ name }) => name === asked)
  return chosen?.use ?? { type: 'refused', why: NONE_OF_THEM[tool.type] }
}

const NONE_OF_THEM = {
  transferCall: 'The call was not transferred: that is none of the destinations.',
  handoff: 'The call was not handed over: that is none of the destinations.',
}
