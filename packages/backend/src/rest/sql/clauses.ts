import { CASTS } from '../request/cast.js'
import type { Order } from '../request/order.js'
import type { Selected } from '../request/selection.js'
import { fieldSql } from './field-sql.js'
import { quoteIdentifier } from './identifier.js'
import type { Parameters } from './parameters.js'
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
