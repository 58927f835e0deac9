import type { Action } from '../request/rest-request.js'
import type { Selected } from '../request/selection.js'
import { orderClause, selectList, whereClause } from './clauses.js'
import { Parameters, type Statement } from './parameters.js'
import { rendered } from './rendered.js'
import type { Table } from './table.js'

/** Most rows of one answer, as a Supabase project has it by default. */
export const ROW_LIMIT = 1000

export interface ReadOptions extends Extract<Action, { action: 'read' }> {
  selection: Selected[]
  counted: boolean
}

/** Reads one page: a row with `body` (JSON as text), `returned` (rows in it) and `total` (rows that match, null when not counted). */
export function readStatement(
  table: Table,
  { filters, order, page, selection, counted, head }: ReadOptions,
): Statement {
  const parameters = new Parameters()
  const where = whereClause(table, filters, parameters)
  const limit = parameters.add(Math.min(page.limit ?? ROW_LIMIT, ROW_LIMIT))
  const rows =
    `select ${selectList(table, selection)} from ${table.sql}${where}${orderClause(table, order)}` +
    ` limit ${limit} offset ${parameters.add(page.offset)}`
  const total = counted ? `(select count(*) from ${table.sql}${where})` : 'null::int8'
  return {
    sql: `select ${rendered('_row', !head)}, count(*) as returned, ${total} as total from (${rows}) _row`,
    values: parameters.values,
  }
}
