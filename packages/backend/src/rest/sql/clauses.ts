import { CASTS } from '../request/cast.js'
import type { Condition, Filter } from '../request/condition.js'
import type { Field } from '../request/field.js'
import type { Comparison, State } from '../request/operation.js'
import type { Order } from '../request/order.js'
import type { Selected } from '../request/selection.js'
import { type Parameters, quoteIdentifier } from './statement.js'
import type { Table } from './table.js'

/** The list after SELECT or RETURNING; empty when nothing is selected. */
export function selectList(table: Table, selection: readonly Selected[], parameters: Parameters): string {
  return selection
    .map((item) => {
      if (item === '*') return table.all
      const source = fieldSql(table, item.field, parameters)
      const value = item.cast === undefined ? source : `cast(${source} as ${CASTS[item.cast]})`
      return `${value} as ${quoteIdentifier(item.name)}`
    })
    .join(', ')
}

/** ` order by …`, or nothing. */
export function orderClause(table: Table, order: readonly Order[], parameters: Parameters): string {
  const items = order.map(
    ({ field, direction, nulls }) =>
      `${fieldSql(table, field, parameters)} ${direction}${nulls === undefined ? '' : ` nulls ${nulls}`}`,
  )
  return items.length === 0 ? '' : ` order by ${items.join(', ')}`
}

/** A column, or a place in its JSON. Keys travel as parameters; what is no JSON is made JSON first, as PostgREST does. */
export function fieldSql(table: Table, { column, path }: Field, parameters: Parameters): string {
  const source = table.column(column)
  if (path.length === 0) return source
  const json = table.isJson(column) ? source : `to_jsonb(${source})`
  const steps = path.map(
    ({ arrow, key }) => ` ${arrow} ${parameters.add(key)}::${typeof key === 'number' ? 'int4' : 'text'}`,
  )
  return `(${json}${steps.join('')})`
}

const OPERATORS: Record<Comparison, string> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  like: 'like',
  ilike: 'ilike',
  match: '~',
  imatch: '~*',
  isdistinct: 'is distinct from',
  cs: '@>',
  cd: '<@',
  ov: '&&',
  sl: '<<',
  sr: '>>',
  nxr: '&<',
  nxl: '&>',
  adj: '-|-',
}

const STATE_SQL: Record<State, string> = {
  null: 'null',
  not_null: 'not null',
  true: 'true',
  false: 'false',
  unknown: 'unknown',
}

/** ` where …`, or nothing. */
export function whereClause(table: Table, conditions: readonly Condition[], parameters: Parameters): string {
  const all = conditions.map((condition) => conditionSql(table, condition, parameters))
  return all.length === 0 ? '' : ` where ${all.join(' and ')}`
}

function conditionSql(table: Table, condition: Condition, parameters: Parameters): string {
  if (!('logic' in condition)) return filterSql(table, condition, parameters)
  const { logic, negated, conditions } = condition
  const inner = conditions.map((each) => conditionSql(table, each, parameters)).join(` ${logic} `)
  return `${negated ? 'not ' : ''}(${inner})`
}

function filterSql(table: Table, { field, operation }: Filter, parameters: Parameters): string {
  const left = `${operation.negated ? 'not ' : ''}${fieldSql(table, field, parameters)}`
  switch (operation.operator) {
    case 'is':
      return `${left} is ${STATE_SQL[operation.value]}`
    case 'in':
      return `${left} = any(${parameters.add(arrayText(operation.values))})`
    default: {
      const { operator, quantifier, value } = operation
      // In an address `*` stands for `%`, which has to be escaped there.
      const pattern = operator === 'like' || operator === 'ilike'
      const right = parameters.add(pattern ? value.replaceAll('*', '%') : value)
      return `${left} ${OPERATORS[operator]} ${quantifier ? `${quantifier}(${right})` : right}`
    }
  }
}

/** An array as Postgres reads it from text; so the values take the column's type. */
function arrayText(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}
