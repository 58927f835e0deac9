import { RestError } from '../../errors/rest-error.js'
import type { Condition } from './condition.js'

/**
 * Most that the patterns of one request may weigh together: a pattern's length times its bounds (`{1,20}` is 20). Postgres unrolls
 * bounds: `(a{1,255}){1,255}` asks for gigabytes, and a thousand smaller patterns keep it busy for minutes.
 */
const WEIGHT_LIMIT = 5_000

/** A reference to an earlier group takes exponential time. A backslash that is escaped itself begins none. */
const BACK_REFERENCE = /^[^\\]*(?:\\[^1-9][^\\]*)*\\[1-9]/s

/** Refuses regular expressions (`match`, `imatch`) that cost Postgres more than a request may. */
export function checkPatterns(conditions: readonly Condition[]): void {
  if (weigh(conditions) > WEIGHT_LIMIT)
    throw RestError.notServed('A pattern this complex, or this many of them,')
}

function weigh(conditions: readonly Condition[]): number {
  return conditions.reduce((sum, condition) => {
    if ('logic' in condition) return sum + weigh(condition.conditions)
    const { operation } = condition
    if (operation.operator !== 'match' && operation.operator !== 'imatch') return sum
    return sum + weight(operation.value)
  }, 0)
}

function weight(pattern: string): number {
  if (BACK_REFERENCE.test(pattern)) throw RestError.notServed('A pattern with a back reference')
  // `\{` is a bound in some of Postgres's flavours of patterns.
  const bounds = [...pattern.matchAll(/\{(\d+)(?:,(\d*))?/g)].map(([, low, high]) => Number(high || low))
  return bounds.reduce((product, bound) => product * Math.max(1, bound), Math.max(1, pattern.length))
}
