import { DTMF_KEYS } from '../audio/dtmf-tones.js'
import type { ModelTool, ToolCall } from '../engines/engine.js'
import type { TransferDestination } from './bridge-call.js'

/** What the model may do in a call, besides speaking. */
export type SessionTool =
  | { type: 'transferCall'; name: string; description?: string; destinations: readonly TransferDestination[] }
  | { type: 'dtmf'; name: string; description?: string }
  /** `message` is said before the call ends; else the assistant's own goodbye, if it has one. */
  | { type: 'endCall'; name: string; description?: string; message?: string }

/** Most keys that are pressed at once. */
const MOST_KEYS = 32

/** What the model asks for. */
export type ToolUse =
  | { type: 'transfer'; destination: TransferDestination }
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
  const lines = tool.destinations.map(
    ({ number, description }) => `${number}${description ? `: ${description}` : ''}`,
  )
  const task = tool.description ?? 'Transfers the call to somebody else, if the caller asks for that.'
  return {
    name: tool.name,
    description: `${task}\nDestinations:\n${lines.join('\n')}`,
    parameters: parameter('destination', {
      type: 'string',
      enum: tool.destinations.map(({ number }) => number),
    }),
  }
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
  const [only, ...others] = tool.destinations
  const asked = call.arguments.destination
  const destination =
    asked === undefined && others.length === 0
      ? only
      : tool.destinations.find(({ number }) => number === asked)
  if (destination) return { type: 'transfer', destination }
  return { type: 'refused', why: 'The call was not transferred: that is none of the destinations.' }
}
