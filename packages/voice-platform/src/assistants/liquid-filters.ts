import { readValue, writeValue } from './liquid-value.js'
import type { LiquidWork } from './liquid-work.js'

type Filter = (value: unknown, given: readonly unknown[]) => unknown

/** Longest text that a filter makes. */
const LONGEST = 20_000

const text = (value: unknown): string => writeValue(value)
const number = (value: unknown): number => {
  const read = typeof value === 'string' ? Number.parseFloat(value) : Number(value)
  return Number.isFinite(read) ? read : 0
}
const list = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
const onText =
  (change: (value: string) => string): Filter =>
  (value) =>
    change(text(value))
const onNumbers =
  (reckon: (value: number, other: number) => number): Filter =>
  (value, [other]) => {
    const result = reckon(number(value), number(other))
    // Without the rests of binary fractions: 0.1 + 0.2 is 0.3.
    return Number.isFinite(result) ? Number(result.toPrecision(15)) : 0
  }
const property = (value: unknown, name: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? readValue(text(name), { values: { ...value }, locals: [] })
    : undefined
const orderOf = (one: unknown, other: unknown): number =>
  typeof one === 'number' && typeof other === 'number'
    ? one - other
    : text(one) < text(other)
      ? -1
      : Number(text(one) > text(other))
const sortedBy = (value: unknown, name: unknown, order: (one: unknown, other: unknown) => number) => {
  const key = (item: unknown) => (name === undefined ? item : property(item, name))
  return [...list(value)].sort((one, other) => order(key(one), key(other)))
}
/** A text put in for another, as often as the longest result allows. */
function replaced(value: string, sought: string, by: string, most = LONGEST): string {
  if (sought === '') return value
  const parts = value.split(sought, Math.min(most, LONGEST) + 1)
  let result = parts[0] ?? ''
  for (const part of parts.slice(1)) {
    if (result.length > LONGEST) break
    result += by + part
  }
  return result
}

/** The standard filters of Liquid that are served, beside `default` and `date`. */
export const LIQUID_FILTERS: Readonly<Record<string, Filter>> = {
  upcase: onText((value) => value.toUpperCase()),
  downcase: onText((value) => value.toLowerCase()),
  capitalize: onText((value) => value.charAt(0).toUpperCase() + value.slice(1).toLowerCase()),
  strip: onText((value) => value.trim()),
  lstrip: onText((value) => value.trimStart()),
  rstrip: onText((value) => value.trimEnd()),
  strip_newlines: onText((value) => value.replace(/\r?\n/g, '')),
  append: (value, [end]) => text(value) + text(end),
  prepend: (value, [start]) => text(start) + text(value),
  replace: (value, [sought, by]) => replaced(text(value), text(sought), text(by)),
  replace_first: (value, [sought, by]) => text(value).replace(text(sought), () => text(by)),
  remove: (value, [sought]) => replaced(text(value), text(sought), ''),
  remove_first: (value, [sought]) => text(value).replace(text(sought), ''),
  truncate: (value, [most = 50, end = '...']) => {
    const whole = text(value)
    const length = Math.max(0, number(most))
    if (whole.length <= length) return whole
    return whole.slice(0, Math.max(0, length - text(end).length)) + text(end)
  },
  truncatewords: (value, [most = 15, end = '...']) => {
    const words = text(value).split(/\s+/).filter(Boolean)
    const length = Math.max(1, number(most))
    return words.length <= length ? words.join(' ') : words.slice(0, length).join(' ') + text(end)
  },
  slice: (value, [from, length = 1]) => {
    const whole = Array.isArray(value) ? value : text(value)
    const start = number(from) < 0 ? Math.max(0, whole.length + number(from)) : number(from)
    return whole.slice(start, start + Math.max(0, number(length)))
  },
  split: (value, [at]) => {
    const whole = text(value)
    return whole === '' ? [] : whole.split(text(at), LONGEST).filter((part) => part !== '' || at !== '')
  },
  size: (value) => (Array.isArray(value) ? value.length : text(value).length),
  first: (value) => (Array.isArray(value) ? value[0] : text(value).charAt(0)),
  last: (value) => (Array.isArray(value) ? value.at(-1) : text(value).slice(-1)),
  join: (value, [between = ' ']) => joined(list(value), text(between)),
  reverse: (value) => (Array.isArray(value) ? [...value].reverse() : value),
  sort: (value, [name]) => sortedBy(value, name, orderOf),
  sort_natural: (value, [name]) =>
    sortedBy(value, name, (one, other) => orderOf(text(one).toLowerCase(), text(other).toLowerCase())),
  uniq: (value) => [...new Map(list(value).map((item) => [text(item), item])).values()],
  compact: (value) => list(value).filter((item) => item !== undefined && item !== null),
  concat: (value, [other]) => [...list(value), ...list(other)],
  map: (value, [name]) => list(value).map((item) => property(item, name)),
  where: (value, [name, wanted]) =>
    list(value).filter((item) => {
      const own = property(item, name)
      return wanted === undefined
        ? own !== undefined && own !== null && own !== false
        : text(own) === text(wanted)
    }),
  sum: (value, [name]) =>
    list(value).reduce<number>(
      (all, item) => all + number(name === undefined ? item : property(item, name)),
      0,
    ),
  plus: onNumbers((value, other) => value + other),
  minus: onNumbers((value, other) => value - other),
  times: onNumbers((value, other) => value * other),
  divided_by: (value, given) => {
    const quotient = onNumbers((one, other) => (other === 0 ? 0 : one / other))(value, given)
    // Whole numbers give a whole number.
    return [value, given[0]].every((part) => !/\./.test(text(part))) ? Math.floor(number(quotient)) : quotient
  },
  modulo: onNumbers((value, other) => (other === 0 ? 0 : ((value % other) + other) % other)),
  round: (value, [digits]) => Number(number(value).toFixed(Math.min(20, Math.max(0, number(digits))))),
  ceil: (value) => Math.ceil(number(value)),
  floor: (value) => Math.floor(number(value)),
  abs: (value) => Math.abs(number(value)),
  at_least: onNumbers(Math.max),
  at_most: onNumbers(Math.min),
  json: (value) => JSON.stringify(value) ?? '',
}

function joined(items: readonly unknown[], between: string): string {
  let result = ''
  for (const [index, item] of items.entries()) {
    if (result.length > LONGEST) break
    result += (index === 0 ? '' : between) + text(item)
  }
  return result
}

/** They look for the first text that they are given in their value. */
const SEARCHES = new Set(['replace', 'replace_first', 'remove', 'remove_first', 'split'])
const SORTS = new Set(['sort', 'sort_natural'])

/** Pays for what a filter looks at. False where that is more than is left: then it is not applied. */
export function payForFilter(
  name: string,
  value: unknown,
  given: readonly unknown[],
  work: LiquidWork,
): boolean {
  const items = Array.isArray(value) ? value.length : 1
  // What a filter is given may be read again with each item.
  if (!work.payFor([value]) || !work.payFor(given, items)) return false
  if (SEARCHES.has(name)) return work.payForSearch(text(value), given[0])
  // A sort writes two items for each comparison of its order.
  return !SORTS.has(name) || work.payFor([value], 2 * Math.ceil(Math.log2(items + 1)))
}

/** Applies a filter, if it is served. What it makes has a bound. */
export function applyFilter(name: string, value: unknown, given: readonly unknown[]): unknown {
  const filter = Object.hasOwn(LIQUID_FILTERS, name) ? LIQUID_FILTERS[name] : undefined
  const made = filter ? filter(value, given) : value
  if (filter && typeof made === 'string' && made.length > LONGEST) return made.slice(0, LONGEST)
  return filter && Array.isArray(made) && made.length > LONGEST ? made.slice(0, LONGEST) : made
}
