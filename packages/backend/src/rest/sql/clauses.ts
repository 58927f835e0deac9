import { CASTS } from '../request/cast.js'
import type { Condition, Filter } from '../request/condition.js'
import type { Field } from '../request/field.js'
import type { Comparison, State } from '../request/operation.js'
import type { Order } from '../request/order.js'
import type { Selected } from '../request/selection.js'
import { guarded, inTime } from './in-time.js'
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
export function orderClause(
  table: Table,
  order: readonly Order[],
  parameters: Parameters,
  withinMs: number,
): string {
  const items = order.map(({ field, direction, nulls }) => {
    const source = fieldSql(table, field, parameters)
    // A long text is stored apart. Sorting would fetch it at each comparison, and looks at no clock: so it is fetched before.
    const isFetched =
      withinMs < Number.POSITIVE_INFINITY && field.path.length === 0 && table.isText(field.column)
    const key = isFetched ? `(${source} || '')` : source
    return `${key} ${direction}${nulls === undefined ? '' : ` nulls ${nulls}`}`
  })
  return items.length === 0 ? '' : ` order by ${items.join(', ')}`
}

/** A column, or a place in its JSON. Keys travel as parameters; what is no JSON is made JSON first, as PostgREST does. */
function fieldSql(table: Table, { column, path }: Field, parameters: Parameters): string {
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

/** Most filters that are asked of a row without a look at the clock. */
const QUICK_FILTERS = 10

/**
 * ` where …`, or nothing. Within a time, each row and each condition that may be slow looks at the clock first. No index serves
 * those that do, so the first quick ones do not.
 */
export function whereClause(
  table: Table,
  conditions: readonly Condition[],
  parameters: Parameters,
  withinMs: number,
): string {
  let left = QUICK_FILTERS
  const all = conditions.map((condition) => {
    left -= isQuick(table, condition) ? leavesOf(condition) : 0
    const isBare = isQuick(table, condition) && left >= 0
    return conditionSql(table, condition, parameters, isBare ? Number.POSITIVE_INFINITY : withinMs)
  })
  if (withinMs < Number.POSITIVE_INFINITY) all.push(inTime(withinMs))
  return all.length === 0 ? '' : ` where ${all.join(' and ')}`
}

function conditionSql(table: Table, condition: Condition, parameters: Parameters, withinMs: number): string {
  if (!('logic' in condition)) return guarded(filterSql(table, condition, parameters), withinMs)
  const { logic, negated, conditions } = condition
  const isGuarded = isQuick(table, condition)
  const innerMs = isGuarded ? Number.POSITIVE_INFINITY : withinMs
  const inner = conditions.map((each) => conditionSql(table, each, parameters, innerMs)).join(` ${logic} `)
  return guarded(`${negated ? 'not ' : ''}(${inner})`, isGuarded ? withinMs : Number.POSITIVE_INFINITY)
}

/** Whether it takes next to no time, however long the row's values are: texts of different lengths are not equal. */
function isQuick(table: Table, condition: Condition): boolean {
  if ('logic' in condition) return condition.conditions.every((each) => isQuick(table, each))
  const { field, operation } = condition
  if (field.path.length > 0 || 'quantifier' in operation) return false
  if (operation.operator === 'is') return true
  return table.isShort(field.column) || (operation.operator === 'eq' && table.isText(field.column))
}

const leavesOf = (condition: Condition): number =>
  'logic' in condition ? condition.conditions.reduce((sum, each) => sum + leavesOf(each), 0) : 1

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
