import type { Condition, Filter } from '../request/filter.js'
import type { Comparison, State } from '../request/operation.js'
import { fieldSql } from './field-sql.js'
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
