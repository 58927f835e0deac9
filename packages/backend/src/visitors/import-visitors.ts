import type { Queryable } from '@heyline/database'
import type { NewVisitor } from './new-visitor.js'
import { COLUMNS, rowOf } from './row.js'

/** What an import may set of a visitor that is there already. */
export const REPLACEABLE = ['name', 'system', 'first_message', 'listed'] as const
export type ReplaceableColumn = (typeof REPLACEABLE)[number]

export interface ImportOptions {
  /** Sets these columns of visitors that are there already; without it such a slug refuses the whole import. */
  replace?: readonly ReplaceableColumn[] | undefined
  /** Called as rows are stored, with how many so far; they are there for others only when all are. */
  onProgress?: ((stored: number) => void) | undefined
}

export interface ImportReport {
  added: number
  replaced: number
}

/** Most rows and characters of one statement: few statements, and none that fills the memory or lasts. */
export const BATCH_ROWS = 1000
const BATCH_CHARACTERS = 1_000_000

/** Stores batches within a transaction, each as one statement. */
export async function importVisitors(
  tx: Queryable,
  batches: AsyncIterable<NewVisitor[]>,
  { replace, onProgress: progress }: ImportOptions = {},
): Promise<ImportReport> {
  const statement = importStatement(replace)
  const report = { added: 0, replaced: 0 }
  for await (const batch of batches)
    for (const part of parts(batch)) {
      const { rows } = await tx.query<{ added: number; stored: number }>(statement, [part.map(rowOf)])
      const { added = 0, stored = 0 } = rows[0] ?? {}
      report.added += added
      report.replaced += stored - added
      progress?.(report.added + report.replaced)
    }
  return report
}

/** A row that an upsert has just inserted was deleted by nobody: its `xmax` is 0. */
function importStatement(replace: readonly ReplaceableColumn[] | undefined): string {
  const columns = REPLACEABLE.filter((column) => replace?.includes(column))
  const sets = columns.map((column) => `${column} = excluded.${column}`).join(', ')
  const conflict = replace ? `on conflict (lower(slug)) do update set ${sets || 'name = visitors.name'}` : ''
  return `
    with stored as (
      insert into public.visitors (${COLUMNS})
      select ${COLUMNS}
      from json_to_recordset($1::json)
        as row (slug text, name text, system text, first_message text, listed boolean)
      ${conflict}
      returning xmax = 0 as added
    )
    select count(*) filter (where added)::integer as added, count(*)::integer as stored from stored`
}

function* parts(batch: NewVisitor[]): Generator<NewVisitor[]> {
  let part: NewVisitor[] = []
  let characters = 0
  for (const visitor of batch) {
    part.push(visitor)
    characters += (visitor.system?.length ?? 0) + (visitor.firstMessage?.length ?? 0) + visitor.name.length
    if (part.length < BATCH_ROWS && characters < BATCH_CHARACTERS) continue
    yield part
    part = []
    characters = 0
  }
  if (part.length > 0) yield part
}
