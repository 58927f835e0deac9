/** What names in a text stand for. */
export interface Scope {
  values: Record<string, unknown>
  /** Of the loops around, the inner ones last. */
  locals: readonly Record<string, unknown>[]
}

const QUOTED = /^(?:"([^"]*)"|'([^']*)')$/
const NUMBER = /^-?\d+(\.\d+)?$/
/** No two of its parts match the same characters, so that it is read in one pass: strangers write texts, too. */
const BRACKETS = /\[\s*(?:"([^"\]]*)"\s*|'([^'\]]*)'\s*|([^\s\]"'[][^\]"'[]*)?)\]/g

/** The value of `name`, `customer.number`, `tags[0]`, `tags.first`, `"text"` or `7`; undefined where it is not known. */
export function readValue(operand: string, { values, locals }: Scope): unknown {
  const quoted = QUOTED.exec(operand)
  if (quoted) return quoted[1] ?? quoted[2]
  if (NUMBER.test(operand)) return Number(operand)
  if (locals.length === 0 && Object.hasOwn(values, operand)) return values[operand]
  const path = pathOf(operand)
  const local = locals.findLast((names) => Object.hasOwn(names, path[0] ?? ''))
  if (local) return path.reduce<unknown>(field, local)
  return Object.hasOwn(values, operand) ? values[operand] : path.reduce<unknown>(field, values)
}

/** The name of the variable that `name`, `customer.number`, `tags[0]` or `["name"]` is read from. */
export const rootOf = (operand: string): string =>
  pathOf(operand)
    .map((part) => part.trim())
    .find((part) => part !== '') ?? ''

const pathOf = (operand: string): string[] =>
  (operand.includes('[')
    ? operand.replace(BRACKETS, (_, double, single, bare = '') => `.${double ?? single ?? bare.trim()}`)
    : operand
  ).split('.')

function field(value: unknown, name: string): unknown {
  if (typeof value === 'object' && value !== null && Object.hasOwn(value, name) && !isLength(value, name))
    return Reflect.get(value, name)
  if (name === 'size' && (typeof value === 'string' || Array.isArray(value))) return value.length
  if (name === 'first' && Array.isArray(value)) return value[0]
  if (name === 'last' && Array.isArray(value)) return value.at(-1)
  return undefined
}

const isLength = (value: object, name: string) => Array.isArray(value) && name === 'length'

export function writeValue(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
