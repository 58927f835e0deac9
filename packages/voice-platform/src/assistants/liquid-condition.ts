import { readValue, type Scope, writeValue } from './liquid-value.js'

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

/** Whether a condition holds: comparisons joined by `and` and `or`, which are read from the right, as Liquid does. */
export function holds(condition: string, scope: Scope): boolean {
  const tokens = (condition.match(TOKENS) ?? []).slice(0, 4 * MOST_COMPARISONS)
  let result = true
  let joint: string | undefined
  for (let end = tokens.length; end > 0; ) {
    const begin = tokens.findLastIndex((token, at) => at < end && (token === 'and' || token === 'or'))
    const own = compared(tokens.slice(begin + 1, end), scope)
    result = joint === undefined ? own : joint === 'and' ? own && result : own || result
    joint = tokens[begin]
    end = begin
  }
  return result
}

/** Only `nil` and `false` are false; a text without characters and 0 are true. */
function compared(tokens: readonly string[], scope: Scope): boolean {
  const at = tokens.findIndex((token) => OPERATORS.has(token))
  const [left, operator, right] =
    at === -1
      ? [tokens.join(' ')]
      : [tokens.slice(0, at).join(' '), tokens[at], tokens.slice(at + 1).join(' ')]
  const value = termOf(left ?? '', scope)
  if (operator === undefined) return value !== undefined && value !== null && value !== false
  if (right === 'empty' || right === 'blank') return isEmpty(value, right) === (operator === '==')
  const other = termOf(right ?? '', scope)
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
  typeof value === 'number' || (typeof value === 'string' && /^\s*-?\d+(\.\d+)?\s*$/.test(value))

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
