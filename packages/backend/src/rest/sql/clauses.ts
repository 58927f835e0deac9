import type { Comparison, Filter, State } from '../request/filter.js'
import type { Order } from '../request/order.js'
import { CASTS, type Selected } from '../request/selection.js'
import { quoteIdentifier } from './identifier.js'
import type { Parameters } from './parameters.js'
import type { Table } from './table.js'

const OPERATORS: Record<Comparison, string> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
}

const STATE_SQL: Record<State, string> = {
  null: 'null',
  not_null: 'not null',
  true: 'true',
  false: 'false',
  unknown: 'unknown',
}

/** The list after SELECT or RETURNING; empty when nothing is selected. */
export function selectList(table: Table, selection: readonly Selected[]): string {
  return selection.map((item) => (item === '*' ? table.all : selected(table, item))).join(', ')
}

function selected(table: Table, { column, alias, cast }: Exclude<Selected, '*'>): string {
  const source = table.column(column)
  const value = cast === undefined ? source : `cast(${source} as ${CASTS[cast]})`
  return `${value} as ${quoteIdentifier(alias ?? column)}`
}

/** ` where …`, or nothing. */
export function whereClause(table: Table, filters: readonly Filter[], parameters: Parameters): string {
  const conditions = filters.map((filter) => condition(table, filter, parameters))
  return conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`
}

function condition(table: Table, filter: Filter, parameters: Parameters): string {
  const column = table.column(filter.column)
  const not = filter.negated ? 'not ' : ''
  switch (filter.operator) {
    case 'is':
      return `${not}${column} is ${STATE_SQL[filter.value]}`
    case 'in':
      return `${not}${column} = any(${parameters.add(arrayText(filter.values))})`
    case 'like':
    case 'ilike':
      // In an address `*` stands for `%`, which has to be escaped there.
      return `${not}${column} ${OPERATORS[filter.operator]} ${parameters.add(filter.value.replaceAll('*', '%'))}`
    default:
      return `${not}${column} ${OPERATORS[filter.operator]} ${parameters.add(filter.value)}`
  }
}

/** An array as Postgres reads it from text; so the values take the column's type. */
function arrayText(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}

/** ` order by …`, or nothing. */
export function orderClause(table: Table, order: readonly Order[]): string {
  const items = order.map(
    ({ column, direction, nulls }) =>
      `${table.column(column)} ${direction}${nulls === undefined ? '' : ` nulls ${nulls}`}`,
  )
  return items.length === 0 ? '' : ` order by ${items.join(', ')}`
}
