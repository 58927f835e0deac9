import { calendarParts, formatDate } from './date-format.js'
import { holds } from './liquid-condition.js'
import { applyFilter, payForFilter } from './liquid-filters.js'
import { loopItems, roundOf } from './liquid-loop.js'
import { type LiquidNode, liquidNodes } from './liquid-nodes.js'
import { readValue, type Scope, writeValue } from './liquid-value.js'
import { LiquidWork } from './liquid-work.js'

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
/** Most values that a filter is given: no filter reads more. */
const MOST_GIVEN = 2
/** Work of a loop before its first round. */
const LOOP = 500

/** One filling of an assistant's texts. */
interface Filling extends Variables {
  datesLeft: number
  work: LiquidWork
}

/** A value and its filters, split at bars outside of quotes. */
const PARTS = /(?:"[^"]*"|'[^']*'|[^|"'])+/g
const FILTER = /^(\w+)\s*(?::(.*))?$/s
const ARGUMENTS = /"([^"]*)"|'([^']*)'|([^\s,"']+)/g

/**
 * Puts values into the `{{placeholders}}` of a text, as the platform's Liquid does: `{{name}}`, `{{customer.number}}`,
 * `{{name | default: "you"}}` and `{{"now" | date: "%A, %I:%M %p", "Europe/Paris"}}`, and follows `{% if %}`, `{% unless %}` and
 * `{% for %}`. A value that is not known becomes nothing; a filter that is not known does nothing; tags that are not known stay as they
 * are. Values are not read as templates. The result is cut at `most` characters. A placeholder has at most 20 filters. One filler formats
 * a hundred dates in all its texts, and its loops, conditions and filters do a few milliseconds of work: after that, values stay as they are,
 * and no condition holds.
 */
export function templateFiller(variables: Variables): (text: string, most: number) => string {
  const filling: Filling = { ...variables, datesLeft: MOST_DATES, work: new LiquidWork() }
  return (text, most) => {
    const page = new Page(filling, most)
    page.write(liquidNodes(text), { values: variables.values, locals: [] })
    return page.text
  }
}

/** A text that is being written. */
class Page {
  text = ''
  readonly #filling: Filling
  readonly #most: number

  constructor(filling: Filling, most: number) {
    this.#filling = filling
    this.#most = most
  }

  /** False once nothing more can be written. */
  write(nodes: readonly LiquidNode[], scope: Scope): boolean {
    return nodes.every((node) => this.#node(node, scope))
  }

  #node(node: LiquidNode, scope: Scope): boolean {
    // Only a loop writes a part of a text more than once.
    const read = node.kind === 'value' ? node.expression.length : 0
    if (scope.locals.length > 0 && !this.#filling.work.pay(read)) return false
    if (node.kind === 'text') return this.#add(node.text)
    if (node.kind === 'value') return this.#add(evaluate(node.expression, scope, this.#filling))
    if (node.kind === 'loop') return this.#loop(node, scope)
    const chosen = node.branches.find(
      ({ condition, isNegated = false }) =>
        condition === undefined || holds(condition, scope, this.#filling.work) !== isNegated,
    )
    return this.write(chosen?.nodes ?? [], scope)
  }

  #loop({ loop, body, otherwise }: Extract<LiquidNode, { kind: 'loop' }>, scope: Scope): boolean {
    const { work } = this.#filling
    if (!work.pay(LOOP + loop.of.length)) return true
    const items = loopItems(loop, scope, work)
    if (items.length === 0) return this.write(otherwise, scope)
    for (const [index, item] of items.entries()) {
      if (!work.pay(0)) return true
      const names = { [loop.name]: item, forloop: roundOf(index, items.length) }
      if (!this.write(body, { ...scope, locals: [...scope.locals, names] }))
        return this.text.length < this.#most
    }
    return true
  }

  #add(written: string): boolean {
    this.text += written
    if (this.text.length < this.#most) return true
    this.text = this.text.slice(0, this.#most)
    return false
  }
}

function evaluate(expression: string, scope: Scope, filling: Filling): string {
  const [operand = '', ...filters] = expression.match(PARTS) ?? []
  let value = readValue(operand.trim(), scope)
  for (const filter of filters.slice(0, MOST_FILTERS)) value = apply(filter.trim(), value, scope, filling)
  return writeValue(value)
}

function apply(filter: string, value: unknown, scope: Scope, filling: Filling): unknown {
  const [, name = '', written = ''] = FILTER.exec(filter) ?? []
  const given = [...written.matchAll(ARGUMENTS)].slice(0, MOST_GIVEN).map(([, double, single, bare]) =>
    // A number stays as it is written: 2.0 is no whole number.
    bare === undefined ? (double ?? single) : /^-?\d/.test(bare) ? bare : (readValue(bare, scope) ?? bare),
  )
  if (name === 'default') return isBlank(value) ? given[0] : value
  if (name === 'date' && given[0] !== undefined) return dated(value, given, filling)
  return payForFilter(name, value, given, filling.work) ? applyFilter(name, value, given) : value
}

/** `given` are the format and the time zone. */
function dated(value: unknown, given: readonly unknown[], filling: Filling): unknown {
  if (filling.datesLeft === 0 || !filling.work.payFor(given)) return value
  filling.datesLeft -= 1
  const { values, now } = filling
  const at = value === 'now' || value === 'today' || value === values.now ? now : dateOf(value)
  if (!at) return value
  const [format, timeZone] = given.map((one) => writeValue(one))
  return formatDate(calendarParts(at, timeZone), format ?? '')
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
