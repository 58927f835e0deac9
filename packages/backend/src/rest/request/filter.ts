import { RestError } from '../rest-error.js'
import { columnName, splitList, unquote } from './list.js'

export const COMPARISONS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike'] as const
export type Comparison = (typeof COMPARISONS)[number]

export const STATES = ['null', 'not_null', 'true', 'false', 'unknown'] as const
export type State = (typeof STATES)[number]

/** PostgREST's further operators, which this wire refuses. */
const NOT_SERVED = new Set(
  'match imatch isdistinct cs cd ov sl sr nxr nxl adj fts plfts phfts wfts'.split(' '),
)

/** What a row must pass: `column=[not.]operator.value`. Several are joined with AND. */
export type Filter = { column: string; negated: boolean } & (
  | { operator: Comparison; value: string }
  | { operator: 'is'; value: State }
  | { operator: 'in'; values: string[] }
)

/** Query parameters that are no filters. */
const RESERVED = new Set(['select', 'order', 'limit', 'offset', 'columns', 'on_conflict'])

/** Reads every filter of the query string. Trees (`and`, `or`), `any`/`all` and further operators are refused. */
export function parseFilters(search: URLSearchParams): Filter[] {
  return [...search].filter(([key]) => !RESERVED.has(key)).map(([key, text]) => parseFilter(key, text))
}

function parseFilter(key: string, text: string): Filter {
  if (/^(not\.)?(and|or)$/.test(key)) throw RestError.notServed(`A tree of filters (${key})`)
  const column = columnName(key)
  const [, not, operator = '', modifier, value = ''] =
    /^(not\.)?([a-z]+)(\([^)]*\))?\.(.*)$/s.exec(text) ?? []
  if (NOT_SERVED.has(operator)) throw RestError.notServed(`The operator ${operator}`)
  const negated = not !== undefined
  if (operator === 'is') {
    const state = STATES.find((name) => name === value.toLowerCase())
    if (state && !modifier) return { column, negated, operator, value: state }
  }
  if (operator === 'in' && !modifier && /^\(.*\)$/s.test(value))
    return { column, negated, operator, values: splitList(value.slice(1, -1)).map(unquote) }
  const comparison = COMPARISONS.find((name) => name === operator)
  if (comparison && modifier) throw RestError.notServed(`${operator}${modifier}`)
  if (comparison) return { column, negated, operator: comparison, value }
  throw RestError.unreadable('filter', text, `${key} takes [not.]operator.value, with an operator such as eq`)
}
