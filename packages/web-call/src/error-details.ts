/** An error as plain data, so that an event that carries it can be copied to another window or worker. */
export interface ErrorDetails {
  name: string
  message: string
  /** The platform's or the room's code. */
  code?: string
  /** HTTP status of a refusal by the platform. */
  status?: number
  stack?: string
}

/** Reads an error whatever was thrown: an `Error`, a text, a room's event `{errorMsg, error: {type, msg}}`. Never throws. */
export function errorDetails(thrown: unknown): ErrorDetails {
  const fault = record(thrown)
  const inner = record(fault.error)
  const code = [fault.code, fault.type, inner.type].find((value) => typeof value === 'string')
  return {
    name: thrown instanceof Error ? thrown.name : 'Error',
    message: errorText(thrown),
    ...(typeof code === 'string' && { code }),
    ...(typeof fault.status === 'number' && { status: fault.status }),
    ...(thrown instanceof Error && thrown.stack && { stack: thrown.stack }),
  }
}

/** What an error says, with what its cause says. */
export function errorText(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown
  const fault = record(thrown)
  const inner = record(fault.error)
  const text = [fault.message, fault.errorMsg, inner.msg, inner.message].find(
    (value): value is string => typeof value === 'string' && value !== '',
  )
  const cause = fault.cause === undefined ? '' : errorText(fault.cause)
  if (text) return cause && !text.includes(cause) ? `${text} (${cause})` : text
  return cause || 'Something failed without a word.'
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
