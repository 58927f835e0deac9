import type { Preferences } from '../request/preferences.js'
import type { Table } from './table.js'

/** Counts rows in a setting of the transaction, as PostgREST does: no column tells inserted rows from merged ones to every role. */
const COUNTER = 'request.inserted'

function count(step: '+ 1' | '- 1'): string {
  const now = `coalesce(nullif(current_setting('${COUNTER}', true), ''), '0')::int4`
  return `set_config('${COUNTER}', (${now} ${step})::text, true) is not null`
}

export interface Upsert {
  /** Stands after the rows that are inserted. */
  where: string
  /** Stands after that. */
  onConflict: string
  /** How many rows were new, as a value of the statement's result. */
  inserted: string
}

const PLAIN: Upsert = { where: '', onConflict: '', inserted: 'null::int4' }

/** What makes an insert an upsert. A table without a key, where no columns are named, has no duplicates: then nothing does. */
export function upsert(
  table: Table,
  resolution: Preferences['resolution'],
  names: readonly string[] | null,
  /** The columns that are written, as SQL. */
  columns: readonly string[],
): Upsert {
  const arbiters = (names ?? table.key).map((name) => table.arbiter(name))
  if (resolution === undefined || arbiters.length === 0) return PLAIN
  const target = ` on conflict (${arbiters.join(', ')})`
  if (resolution === 'ignore-duplicates' || columns.length === 0)
    return { ...PLAIN, onConflict: `${target} do nothing` }
  const assignments = columns.map((column) => `${column} = excluded.${column}`).join(', ')
  return {
    where: ` where ${count('+ 1')}`,
    onConflict: `${target} do update set ${assignments} where ${count('- 1')}`,
    inserted: `nullif(current_setting('${COUNTER}', true), '')::int4`,
  }
}
