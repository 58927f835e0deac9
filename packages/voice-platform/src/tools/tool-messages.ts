/** A comparison with one argument of a tool's use. */
export interface MessageCondition {
  operator: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte'
  param: string
  value: string
}

/** Something to be said, for uses whose arguments meet all conditions. */
export interface ToolMessage {
  content: string
  conditions: readonly MessageCondition[]
}

export interface StartMessage extends ToolMessage {
  /** The tool waits until this was said. */
  isBlocking: boolean
}

export interface DelayedMessage extends ToolMessage {
  /** How late the tool has to be, in milliseconds. */
  afterMs: number
}

export interface EndMessage extends ToolMessage {
  /** A hint for the model's answer, instead of words for the caller. */
  isHint: boolean
  endsCall: boolean
}

/** What is said around the use of a tool (`messages`). */
export interface ToolMessages {
  start: readonly StartMessage[]
  delayed: readonly DelayedMessage[]
  complete: readonly EndMessage[]
  failed: readonly EndMessage[]
}

/** The messages whose conditions these arguments meet. */
export const fitting = <Message extends ToolMessage>(
  messages: readonly Message[],
  given: Record<string, unknown>,
): Message[] => messages.filter(({ conditions }) => conditions.every((condition) => meets(condition, given)))

/** The first that fits. One with conditions goes before one without. */
export function firstFitting<Message extends ToolMessage>(
  messages: readonly Message[],
  given: Record<string, unknown>,
): Message | undefined {
  const fit = fitting(messages, given)
  return fit.find(({ conditions }) => conditions.length > 0) ?? fit[0]
}

function meets({ operator, param, value }: MessageCondition, given: Record<string, unknown>): boolean {
  const argument = Object.hasOwn(given, param) ? given[param] : undefined
  const text = typeof argument === 'object' ? JSON.stringify(argument) : String(argument)
  if (operator === 'eq') return text === value
  if (operator === 'neq') return text !== value
  const [left, right] = [Number(text), Number(value)]
  if (operator === 'gt') return left > right
  if (operator === 'gte') return left >= right
  if (operator === 'lt') return left < right
  return left <= right
}
