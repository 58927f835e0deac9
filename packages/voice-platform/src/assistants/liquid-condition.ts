import { readValue, type Scope, writeValue } from './liquid-value.js'
import type { LiquidWork } from './liquid-work.js'

const TOKENS = /"[^"]*"|'[^']*'|[=!<>]=|<>|[<>]|[^\s"'=!<>]+/g
const OPERATORS = new Set(['==', '!=', '<>', '<', '>', '<=', '>=', 'contains'])
const LITERALS = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['nil', null],
  ['null', null],
])
/** Most comparisons of one condition. */
const MOST_COMPARISONS = 50
/** Longest text that is read as a number, in characters. */
const LONGEST_NUMBER = 40

/**
 * Whether a condition holds: comparisons joined by `and` and `or`, which are read from the right, as Liquid does. What it looks at is paid
 * for; a comparison that can't be paid for does not hold.
 */
export function holds(condition: string, scope: Scope, work: LiquidWork): boolean {
  if (!work.pay(condition.length)) return false
  const [last = [], ...others] = joinedComparisons(condition).reverse()
  return others.reduce(
    (result, tokens) => {
      const own = () => compared(tokens.slice(0, -1), scope, work)
      return tokens.at(-1) === 'and' ? result && own() : result || own()
    },
    compared(last, scope, work),
  )
}

/** The words of each comparison, with the `and` or `or` behind it. */
function joinedComparisons(condition: string): string[][] {
  const all: string[][] = [[]]
  for (const token of (condition.match(TOKENS) ?? []).slice(0, 4 * MOST_COMPARISONS)) {
    all.at(-1)?.push(token)
    if (token === 'and' || token === 'or') all.push([])
  }
  return all
}

/** Only `nil` and `false` are false; a text without characters and 0 are true. */
function compared(tokens: readonly string[], scope: Scope, work: LiquidWork): boolean {
  const at = tokens.findIndex((token) => OPERATORS.has(token))
  const [left, operator, right] =
    at === -1
      ? [tokens.join(' ')]
      : [tokens.slice(0, at).join(' '), tokens[at], tokens.slice(at + 1).join(' ')]
  const value = termOf(left ?? '', scope)
  if (operator === undefined) return value !== undefined && value !== null && value !== false
  if (right === 'empty' || right === 'blank')
    return work.payFor([value]) && isEmpty(value, right) === (operator === '==')
  const other = termOf(right ?? '', scope)
  if (!(operator === 'contains' ? work.payForSearch(value, other) : work.payFor([value, other]))) return false
  if (operator === '==') return isSame(value, other)
  if (operator === '!=' || operator === '<>') return !isSame(value, other)
  if (operator === 'contains') return contains(value, other)
  return ordered(value, other, operator)
}

const termOf = (operand: string, scope: Scope): unknown =>
  LITERALS.has(operand) ? LITERALS.get(operand) : readValue(operand, scope)

function isSame(one: unknown, other: unknown): boolean {
  const [left, right] = [one ?? null, other ?? null]
  // Values of a call are often written as texts.
  if (typeof left !== typeof right && isNumeric(left) && isNumeric(right))
    return Number(left) === Number(right)
  return left === right
}

function contains(value: unknown, other: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => isSame(item, other))
  return (
    typeof value === 'string' && other !== undefined && other !== null && value.includes(writeValue(other))
  )
}

function ordered(one: unknown, other: unknown, operator: string): boolean {
  const areNumbers = isNumeric(one) && isNumeric(other)
  if (!areNumbers && !(typeof one === 'string' && typeof other === 'string')) return false
  const [left, right] = areNumbers ? [Number(one), Number(other)] : [String(one), String(other)]
  if (operator === '<') return left < right
  if (operator === '>') return left > right
  return operator === '<=' ? left <= right : left >= right
}

const isNumeric = (value: unknown): boolean =>
  typeof value === 'number' ||
  (typeof value === 'string' && value.length <= LONGEST_NUMBER && /^\s*-?\d+(\.\d+)?\s*$/.test(value))

function isEmpty(value: unknown, kind: 'empty' | 'blank'): boolean {
  if (value === '' || (Array.isArray(value) && value.length === 0)) return true
  if (kind === 'empty') return typeof value === 'object' && value !== null && Object.keys(value).length === 0
  return (
    value === undefined ||
    value === null ||
    value === false ||
    (typeof value === 'string' && value.trim() === '')
  )
}
