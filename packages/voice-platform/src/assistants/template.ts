import { calendarParts, formatDate } from './date-format.js'

/** The values of a text's placeholders: `name`, or `customer.number` for a field of an object. */
export interface Variables {
  values: Record<string, unknown>
  /** The time of `"now"`. */
  now: Date
}

/** Most `date` filters that are applied in an assistant's texts. Each takes a tenth of a millisecond, and anybody may send a text. */
const MOST_DATES = 100
/** Longest text that is tried as a date, in characters. The runtime would read all of a longer one. */
const LONGEST_DATE = 64
/** Most filters of one placeholder. */
const MOST_FILTERS = 20

/** One filling of an assistant's texts. */
interface Filling extends Variables {
  datesLeft: number
}

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g
/** A value and its filters, split at bars outside of quotes. */
const PARTS = /(?:"[^"]*"|'[^']*'|[^|"'])+/g
const QUOTED = /^(?:"([^"]*)"|'([^']*)')$/
const FILTER = /^(\w+)\s*(?::(.*))?$/s
const ARGUMENTS = /"([^"]*)"|'([^']*)'|([^\s,"']+)/g

/**
 * Puts values into the `{{placeholders}}` of a text, as the platform's Liquid does: `{{name}}`, `{{customer.number}}`,
 * `{{name | default: "you"}}` and `{{"now" | date: "%A, %I:%M %p", "Europe/Paris"}}`. A value that is not known becomes
 * nothing; a filter that is not known does nothing; tags (`{% if %}`) stay as they are. Values are not read as templates.
 * The result is cut at `most` characters. A placeholder has at most 20 filters. One filler formats a hundred dates in all its texts;
 * further ones stay as they are.
 */
export function templateFiller(variables: Variables): (text: string, most: number) => string {
  const filling: Filling = { ...variables, datesLeft: MOST_DATES }
  return (text, most) => fill(text, filling, most)
}

function fill(text: string, filling: Filling, most: number): string {
  let filled = ''
  let end = 0
  for (const placeholder of text.matchAll(PLACEHOLDER)) {
    filled += text.slice(end, placeholder.index) + evaluate(placeholder[1] ?? '', filling)
    end = placeholder.index + placeholder[0].length
    if (filled.length >= most) return filled.slice(0, most)
  }
  return (filled + text.slice(end)).slice(0, most)
}

function evaluate(expression: string, filling: Filling): string {
  const [operand = '', ...filters] = expression.match(PARTS) ?? []
  let value = read(operand.trim(), filling)
  for (const filter of filters.slice(0, MOST_FILTERS)) value = apply(filter.trim(), value, filling)
  return write(value)
}

function read(operand: string, { values }: Variables): unknown {
  const quoted = QUOTED.exec(operand)
  if (quoted) return quoted[1] ?? quoted[2]
  if (/^-?\d+(\.\d+)?$/.test(operand)) return Number(operand)
  if (Object.hasOwn(values, operand)) return values[operand]
  return operand.split('.').reduce<unknown>(field, values)
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined

function apply(filter: string, value: unknown, filling: Filling): unknown {
  const [, name, written = ''] = FILTER.exec(filter) ?? []
  const given = [...written.matchAll(ARGUMENTS)].map(([, double, single, bare]) => double ?? single ?? bare)
  if (name === 'default') return isBlank(value) ? given[0] : value
  if (name === 'date' && given[0] !== undefined) return dated(value, given[0], given[1], filling)
  return value
}

function dated(value: unknown, format: string, timeZone: string | undefined, filling: Filling): unknown {
  if (filling.datesLeft === 0) return value
  filling.datesLeft -= 1
  const { values, now } = filling
  const at = value === 'now' || value === 'today' || value === values.now ? now : dateOf(value)
  return at ? formatDate(calendarParts(at, timeZone), format) : value
}

/** A number counts seconds since the epoch. */
function dateOf(value: unknown): Date | undefined {
  if (typeof value === 'string' && value.length > LONGEST_DATE) return undefined
  const at =
    typeof value === 'number'
      ? new Date(value * 1000)
      : new Date(typeof value === 'string' ? value : Number.NaN)
  return Number.isNaN(at.getTime()) ? undefined : at
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === false || value === ''

function write(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
