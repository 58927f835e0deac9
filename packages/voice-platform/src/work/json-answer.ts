import { shortJsonExcess } from '@heyline/kit/json-excess'
import { unstorablePlace } from '@heyline/kit/storable'

/**
 * The JSON object of a model's answer, also where it stands in a code block or between words. Undefined where there is none, or none that a
 * database takes.
 */
export function jsonAnswer(answer: string): Record<string, unknown> | undefined {
  const [from, to] = [answer.indexOf('{'), answer.lastIndexOf('}')]
  if (from === -1 || to < from) return undefined
  try {
    const json = answer.slice(from, to + 1)
    if (shortJsonExcess(json, { nesting: MOST_DEPTH + 1 })) return undefined
    const value: unknown = JSON.parse(json)
    return isObject(value) && unstorablePlace(value) === undefined ? value : undefined
  } catch {
    return undefined
  }
}

/** Deepest that a value is kept, and compared with its schema. */
const MOST_DEPTH = 20

/**
 * Where a value does not fit its JSON schema, as `items.0.price`; undefined where it fits. Types, required properties, items and lists of
 * allowed values count. Other keywords only guide the model.
 */
export function misfit(value: unknown, schema: unknown, depth = 0): string | undefined {
  if (!isObject(schema)) return undefined
  const { type, required, properties, items } = schema
  if (depth > MOST_DEPTH || !hasType(value, type)) return 'value'
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) return 'value'
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const wrong = misfit(item, items, depth + 1)
      if (wrong !== undefined) return `${index}.${wrong}`
    }
    return undefined
  }
  if (!isObject(value)) return undefined
  const missing = Array.isArray(required) && required.find((name) => !Object.hasOwn(value, String(name)))
  if (missing) return String(missing)
  for (const [name, own] of Object.entries(isObject(properties) ? properties : {})) {
    const wrong = Object.hasOwn(value, name) ? misfit(value[name], own, depth + 1) : undefined
    if (wrong !== undefined) return `${name}.${wrong}`
  }
  return undefined
}

function hasType(value: unknown, type: unknown): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return isObject(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'string' || type === 'number' || type === 'boolean') return typeof value === type
  return true
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
