import { RestError } from '../../errors/rest-error.js'
import type { Condition } from '../request/condition.js'
import type { Preferences } from '../request/preferences.js'
import type { Action } from '../request/rest-request.js'
import type { Selected } from '../request/selection.js'
import { selectList, whereClause } from './clauses.js'
import { type Bounds, Parameters, rendered, type Statement } from './statement.js'
import type { Table } from './table.js'
import { upsert } from './upsert.js'

export type Write = Extract<Action, { action: 'insert' | 'update' | 'delete' }>

/** The first written row's columns as pairs of name and text. */
const FIRST_ROW =
  '(select json_agg(json_build_array(_pair.key, _pair.value)) from (select * from _row limit 1) as _first,' +
  ' json_each_text(row_to_json(_first.*)) as _pair)'

/**
 * Writes: a row with `body` (the written rows as JSON text, where they are wanted), `returned` (their number), `inserted` (how
 * many of an upsert's were new) and `location` (key of the first row, where it is wanted).
 * RETURNING names only what is asked for, so that grants of single columns keep working.
 */
export function writeStatement(
  table: Table,
  write: Write,
  {
    selection,
    preferences,
    answerBytes,
    withinMs,
  }: { selection: readonly Selected[]; preferences: Preferences } & Bounds,
): Statement {
  const parameters = new Parameters()
  const shown = preferences.return === 'representation'
  const located = write.action === 'insert' && preferences.return === 'headers-only' && table.key.length > 0
  const keys = located ? table.key.map((name) => table.column(name)).join(', ') : ''
  const list = shown ? selectList(table, selection, parameters) : keys
  const { sql, inserted } = change(table, write, preferences, { parameters, withinMs })
  // An empty list cannot be returned, and one constant column would show in the answer: then there is no row to show either.
  const body =
    shown && !list
      ? "coalesce(json_agg('{}'::json), '[]')::text as body"
      : rendered('_row.*', shown, { answerBytes, withinMs })
  return {
    sql:
      `with _row as (${sql} returning ${list || '1 as _nothing'}) select ${body}, count(*) as returned,` +
      ` ${inserted} as inserted, ${located ? FIRST_ROW : 'null::json'} as location from _row`,
    values: parameters.values,
  }
}

interface Asking extends Pick<Bounds, 'withinMs'> {
  parameters: Parameters
}

function change(
  table: Table,
  write: Write,
  preferences: Preferences,
  { parameters, withinMs }: Asking,
): { sql: string; inserted: string } {
  switch (write.action) {
    case 'insert':
      return insert(table, write, preferences, parameters)
    case 'update': {
      const columns = write.payload.columns.map((name) => table.target(name))
      const source = `json_populate_record(null::${table.sql}, ${parameters.add(write.payload.json)}::json)`
      const assignments = columns.map((column) => `${column} = _patch.${column}`).join(', ')
      const where = requiredWhere('UPDATE', table, write.filters, { parameters, withinMs })
      return {
        sql: `update ${table.sql} set ${assignments} from ${source} as _patch${where}`,
        inserted: 'null::int4',
      }
    }
    case 'delete': {
      const where = requiredWhere('DELETE', table, write.filters, { parameters, withinMs })
      return { sql: `delete from ${table.sql}${where}`, inserted: 'null::int4' }
    }
  }
}

/** A key that is missing is a null; rows without any key take the defaults of every column. */
function insert(
  table: Table,
  { payload: { json, isArray, columns: names }, onConflict }: Extract<Write, { action: 'insert' }>,
  { resolution }: Preferences,
  parameters: Parameters,
): { sql: string; inserted: string } {
  const text = parameters.add(isArray ? json : `[${json}]`)
  const columns = names.map((name) => table.target(name))
  const list = columns.join(', ')
  const rows =
    columns.length === 0
      ? `insert into ${table.sql} select from json_array_elements(${text}::json)`
      : `insert into ${table.sql} (${list}) select ${list} from json_populate_recordset(null::${table.sql}, ${text}::json)`
  const { where, onConflict: clause, inserted } = upsert(table, resolution, onConflict, columns)
  return { sql: `${rows}${where}${clause}`, inserted }
}

/** Supabase refuses to change every row of a table by accident (pg-safeupdate). */
function requiredWhere(
  verb: string,
  table: Table,
  filters: readonly Condition[],
  { parameters, withinMs }: Asking,
): string {
  if (filters.length === 0) throw new RestError('21000', { message: `${verb} requires a WHERE clause` })
  return whereClause(table, filters, parameters, withinMs)
}
