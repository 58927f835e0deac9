import type { Query } from '../request/rest-request.js'
import type { Selected } from '../request/selection.js'
import { orderClause, selectList, whereClause } from './clauses.js'
import { type Bounds, Parameters, rendered, type Statement } from './statement.js'
import type { Table } from './table.js'

/** Most rows of one answer, as a Supabase project has it by default. */
const ROW_LIMIT = 1000

export interface ReadOptions extends Query, Bounds {
  selection: Selected[]
  counted: boolean
  head: boolean
  /** What one row is in the answer: an object, or the value of its only column, `value`. */
  row?: 'object' | 'value'
}

/** Rows are sorted when all are found, without a look at the clock, and that takes up to three times as long. */
const FINDING = 1 / 2

/** Reads one page: a row with `body` (JSON as text), `returned` (rows in it) and `total` (rows that match, null when not counted). */
export function readStatement(
  table: Table,
  { filters, order, page, selection, counted, head, row = 'object', answerBytes, withinMs }: ReadOptions,
  /** What stands before: a CTE that the table is made of. */
  { parameters = new Parameters(), source }: { parameters?: Parameters; source?: string } = {},
): Statement {
  const findingMs = order.length === 0 ? withinMs : withinMs * FINDING
  const where = whereClause(table, filters, parameters, findingMs)
  const limit = parameters.add(Math.min(page.limit ?? ROW_LIMIT, ROW_LIMIT))
  const list = selectList(table, selection, parameters)
  const rows =
    `select ${list} from ${table.sql}${where}${orderClause(table, order, parameters, withinMs)}` +
    ` limit ${limit} offset ${parameters.add(page.offset)}`
  const total = counted ? `(select count(*) from ${table.sql}${where})` : 'null::int8'
  const body = rendered(row === 'value' ? '_row.value' : '_row.*', !head, { answerBytes, withinMs })
  const isMeasured = answerBytes !== Number.POSITIVE_INFINITY
  const ctes = [...(source ? [source] : []), ...(isMeasured ? [`_row as materialized (${rows})`] : [])]
  return {
    sql:
      `${ctes.length === 0 ? '' : `with ${ctes.join(', ')} `}select ${body}, count(*) as returned,` +
      ` ${total} as total from ${isMeasured ? '_row' : `(${rows}) _row`}`,
    values: parameters.values,
  }
}
