import { DatabaseError } from './database-error.js'

/** Parameters as both drivers send them: text of unspecified type, or NULL. See `Queryable`. */
export function encodeParameters(parameters: readonly unknown[]): (string | null)[] {
  return parameters.map(encodeParameter)
}

function encodeParameter(value: unknown, index: number): string | null {
  if (value === null || value === undefined) return null
  const text = textOf(value)
  if (text === undefined) {
    throw new DatabaseError(`Parameter $${index + 1} cannot be sent as text or JSON.`, { code: '22P02' })
  }
  if (text.includes('\0')) {
    throw new DatabaseError('invalid byte sequence for encoding "UTF8": 0x00', {
      code: '22021',
      detail: `Parameter $${index + 1} holds a NUL character, which Postgres cannot store as text.`,
    })
  }
  return text
}

function textOf(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value)
    case 'object':
      if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString()
      if (value instanceof Uint8Array) {
        return `\\x${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`
      }
      return jsonOf(value)
    default:
      return undefined
  }
}

function jsonOf(value: object | null): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined // a cycle or a bigint inside: there is no JSON of it
  }
}
