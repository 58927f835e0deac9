import type { Filter } from '../request/filter.js'
import type { Payload } from '../request/payload.js'
import type { Action } from '../request/rest-request.js'
import type { Selected } from '../request/selection.js'
import { RestError } from '../rest-error.js'
import { selectList, whereClause } from './clauses.js'
import { Parameters, type Statement } from './parameters.js'
import { rendered } from './rendered.js'
import type { Table } from './table.js'

export type Write = Exclude<Action, { action: 'read' }>

/**
 * Writes: a row with `body` (the written rows as JSON text, where a `selection` is given) and `returned` (their number).
 * RETURNING names only what is asked for, so that grants of single columns keep working.
 */
export function writeStatement(table: Table, write: Write, selection: readonly Selected[] | null): Statement {
  const parameters = new Parameters()
  const list = selection && selectList(table, selection)
  // An empty list cannot be returned, and one constant column would show in the answer: then there is no row to show either.
  const returning = list || '1 as _nothing'
  const body =
    selection && !list
      ? "coalesce(json_agg('{}'::json), '[]')::text as body"
      : rendered('_row', list !== null)
  return {
    sql:
      `with _row as (${change(table, write, parameters)} returning ${returning})` +
      ` select ${body}, count(*) as returned from _row`,
    values: parameters.values,
  }
}

function change(table: Table, write: Write, parameters: Parameters): string {
  switch (write.action) {
    case 'insert':
      return insert(table, write.payload, parameters)
    case 'update': {
      const columns = write.payload.columns.map((name) => table.target(name))
      const source = `json_populate_record(null::${table.sql}, ${parameters.add(write.payload.json)}::json)`
      const assignments = columns.map((column) => `${column} = _patch.${column}`).join(', ')
      const where = requiredWhere('UPDATE', table, write.filters, parameters)
      return `update ${table.sql} set ${assignments} from ${source} as _patch${where}`
    }
    case 'delete':
      return `delete from ${table.sql}${requiredWhere('DELETE', table, write.filters, parameters)}`
  }
}

/** A key that is missing is a null; rows without any key take the defaults of every column. */
function insert(table: Table, { json, isArray, columns }: Payload, parameters: Parameters): string {
  const text = parameters.add(isArray ? json : `[${json}]`)
  if (columns.length === 0) return `insert into ${table.sql} select from json_array_elements(${text}::json)`
  const list = columns.map((name) => table.target(name)).join(', ')
  return (
    `insert into ${table.sql} (${list})` +
    ` select ${list} from json_populate_recordset(null::${table.sql}, ${text}::json)`
  )
}

/** Supabase refuses to change every row of a table by accident (pg-safeupdate). */
function requiredWhere(
  verb: string,
  table: Table,
  filters: readonly Filter[],
  parameters: Parameters,
): string {
  const where = whereClause(table, filters, parameters)
  if (where === '') throw new RestError('21000', { message: `${verb} requires a WHERE clause` })
  return where
}
