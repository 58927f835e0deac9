import { readValue, type Scope } from './liquid-value.js'
import type { LiquidWork } from './liquid-work.js'

/** A `{% for %}`: `item in items limit:2 offset:1 reversed`. */
export interface Loop {
  name: string
  of: string
  limit?: string
  offset?: string
  isReversed: boolean
}

const FOR = /^(\w+)\s+in\s+(\([^()]*\)|[^\s()]+)([\s\S]*)$/
/** Most rounds of one loop. */
const MOST_ROUNDS = 1_000

export function parseLoop(written: string): Loop | undefined {
  const [, name, of, rest = ''] = FOR.exec(written.trim()) ?? []
  if (name === undefined || of === undefined) return undefined
  const limit = /\blimit:\s*(\S+)/.exec(rest)?.[1]
  const offset = /\boffset:\s*(\S+)/.exec(rest)?.[1]
  return {
    ...{ name, of, isReversed: /\breversed\b/.test(rest) },
    ...(limit !== undefined && { limit }),
    ...(offset !== undefined && { offset }),
  }
}

/** What a loop goes over, a thousand items at most; nothing where it can't be paid for. */
export function loopItems(loop: Loop, scope: Scope, work: LiquidWork): unknown[] {
  const offset = Math.max(0, count(loop.offset, scope) ?? 0)
  const most = Math.min(MOST_ROUNDS, Math.max(0, count(loop.limit, scope) ?? MOST_ROUNDS))
  const items = collection(loop.of, scope, work).slice(offset, offset + most)
  return loop.isReversed ? items.reverse() : items
}

/** `forloop` in one round. */
export const roundOf = (index: number, length: number) => ({
  index: index + 1,
  index0: index,
  rindex: length - index,
  rindex0: length - index - 1,
  first: index === 0,
  last: index === length - 1,
  length,
})

function count(written: string | undefined, scope: Scope): number | undefined {
  const value = written === undefined ? undefined : Number(readValue(written, scope))
  return value !== undefined && Number.isFinite(value) ? Math.trunc(value) : undefined
}

function collection(of: string, scope: Scope, work: LiquidWork): unknown[] {
  const middle = of.startsWith('(') ? of.indexOf('..') : -1
  if (middle !== -1) {
    const [from, to] = [of.slice(1, middle).trim(), of.slice(middle + 2, -1).trim()]
    const [first, last] = [count(from, scope) ?? 0, count(to, scope) ?? 0]
    const length = Math.min(2 * MOST_ROUNDS, Math.max(0, last - first + 1))
    return Array.from({ length }, (_, index) => first + index)
  }
  const value = readValue(of, scope)
  if (Array.isArray(value)) return value
  if (typeof value === 'object' && value !== null) return work.payFor([value]) ? Object.entries(value) : []
  return value === undefined || value === null || value === '' ? [] : [value]
}
