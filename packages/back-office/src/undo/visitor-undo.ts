import { measureVisitors } from '@heyline/backend'
import {
  DATE_IS_SURE,
  type Db,
  DEFAULT_PATIENCE_MS,
  LONG_PATIENCE_MS,
  type Queryable,
} from '@heyline/database'
import { actAsOperator } from '../audit/event-actor.js'
import { OperatorsError } from '../operators/operators-error.js'

/** Runs a change of the visitors of these slugs, and keeps what they were before it. */
export type Kept = <Result>(slugs: readonly string[], change: () => Promise<Result>) => Promise<Result>

/** One change of an operator. */
export interface UndoableChange {
  /** Undefined: nobody takes it back, because it was no operator's. */
  userId: string | undefined
  /** As the audit names it. */
  what: string
  /** An undo of the same operator's that this change becomes a part of: an import comes in parts. */
  undoId?: string | undefined
  /** False: nothing takes it back, because it would be too much to keep. */
  isKept?: boolean
}

/** How long a change can be taken back. */
export const KEPT = "interval '1 day'"
/** Most bytes of old rows that one change may keep; beyond that it can't be taken back. */
export const MOST_OF_ONE = 50_000_000
/** Most bytes of all changes together: the oldest go first. */
const MOST_OF_ALL = 200_000_000

export const hashOf = (row: string) =>
  `hashtextextended(row(${row}.slug, ${row}.name, ${row}.system, ${row}.first_message, ${row}.listed)::text, 0)`

/** What came of a change. */
export interface UndoableDone<Result> {
  result: Result
  /** Null where nothing takes it back. */
  undoId: string | null
  /** False where all was so before. */
  isChanged: boolean
}

/** Runs a change in one transaction with what takes it back. `undoId` is null where that would be nothing, or too much to keep. */
export function undoable<Result>(
  db: Db,
  change: UndoableChange,
  run: (tx: Queryable, kept: Kept) => Promise<Result>,
): Promise<UndoableDone<Result>> {
  return db.transaction(
    async (tx) => {
      const { userId, isKept = true } = change
      await actAsOperator(tx, userId)
      if (userId === undefined || !isKept)
        return { result: await run(tx, (_, work) => work()), undoId: null, isChanged: true }
      const id = await beginUndo(tx, { ...change, userId })
      const { kept, bytesOf, isChanged } = keeper(tx, id)
      const result = await run(tx, kept)
      if (!isChanged() && change.undoId === undefined) {
        await tx.query('delete from back_office.undo where id = $1', [id])
        return { result, undoId: null, isChanged: false }
      }
      const undoId = (await bounded(tx, id, bytesOf())) ? id : null
      return { result, undoId, isChanged: isChanged() }
    },
    // A process that stands still must not hold the visitors.
    { patienceMs: LONG_PATIENCE_MS, idleMs: DEFAULT_PATIENCE_MS },
  )
}

async function beginUndo(
  tx: Queryable,
  { userId, what, undoId }: UndoableChange & { userId: string },
): Promise<string> {
  const { rows } = undoId
    ? await tx.query<{ id: string }>(
        'update back_office.undo set at = now() where id::text = $1 and user_id = $2 and what = $3 returning id',
        [undoId, userId, what],
      )
    : await tx.query<{ id: string }>(
        'insert into back_office.undo (user_id, what) values ($1, $2) returning id',
        [userId, what],
      )
  const [row] = rows
  if (!row) throw undoGone()
  return row.id
}

/** Bytes of a row beside what it was before. */
const ROW_BYTES = 100

/**
 * What another change of the same undo has kept already stays the oldest state. `bytesOf` says how much was added, `isChanged` whether a row is another now. Rows are locked as they are
 * copied: who removes a visitor meanwhile waits for the copy, and forgets it, too. They are locked by slug, so that no two changes wait for
 * each other.
 */
function keeper(tx: Queryable, id: string): { kept: Kept; bytesOf(): number; isChanged(): boolean } {
  let added = 0
  let isChanged = false
  const keep = async (sql: string, slugs: readonly string[]) => {
    const { rows } = await tx.query<{ bytes: number }>(
      `with added as (${sql} on conflict do nothing returning ${ROW_BYTES} + coalesce(length(before::text), 0) as bytes)
       select coalesce(sum(bytes), 0)::float8 as bytes from added`,
      [id, slugs],
    )
    added += rows[0]?.bytes ?? 0
  }
  const kept: Kept = async (slugs, change) => {
    // Before anything is copied: it would only be thrown away.
    const bytes = (await measureVisitors(tx, slugs)).reduce((sum, visitor) => sum + visitor.bytes, 0)
    const { rows } = await tx.query<{ id: string }>(
      'delete from back_office.undo where id = $1 and bytes + $2 > $3 returning id',
      [id, bytes, MOST_OF_ONE],
    )
    if (rows.length > 0) {
      isChanged = true
      return change()
    }
    const these = 'lower(v.slug) in (select lower(json_array_elements_text($2::json)))'
    await keep(
      `insert into back_office.undo_visitors (undo_id, visitor_id, slug, before)
       select $1, v.id, v.slug, to_jsonb(v) from public.visitors v where ${these}
       order by lower(v.slug) for update of v`,
      slugs,
    )
    const before = await stateOf(tx, slugs)
    const result = await change()
    if ((await stateOf(tx, slugs)) !== before) isChanged = true
    await keep(
      `insert into back_office.undo_visitors (undo_id, visitor_id, slug)
       select $1, v.id, v.slug from public.visitors v where ${these}`,
      slugs,
    )
    await tx.query(
      `update back_office.undo_visitors u set after = ${hashOf('v')}
       from public.visitors v where u.undo_id = $1 and v.id = u.visitor_id
         and lower(u.slug) in (select lower(json_array_elements_text($2::json)))`,
      [id, slugs],
    )
    return result
  }
  return { kept, bytesOf: () => added, isChanged: () => isChanged }
}

/** A text that is another once any of these visitors is. */
async function stateOf(tx: Queryable, slugs: readonly string[]): Promise<string> {
  const { rows } = await tx.query<{ state: string }>(
    `select concat(count(*), ' ', sum(${hashOf('v')})) as state from public.visitors v
     where lower(v.slug) in (select lower(json_array_elements_text($1::json)))`,
    [slugs],
  )
  return rows[0]?.state ?? ''
}

/** Removes what is too old or too much; false where that is this one itself, with what it keeps more, or was. */
async function bounded(tx: Queryable, id: string, added: number): Promise<boolean> {
  const { rows } = await tx.query<{ bytes: number }>(
    'update back_office.undo set bytes = bytes + $2 where id = $1 returning bytes::float8 as bytes',
    [id, added],
  )
  const isTooMuch = (rows[0]?.bytes ?? Number.POSITIVE_INFINITY) > MOST_OF_ONE
  if (isTooMuch) await tx.query('delete from back_office.undo where id = $1', [id])
  await sweepUndo(tx)
  return !isTooMuch
}

/** Removes what can't be taken back any more, and the oldest where all is too much. */
export async function sweepUndo(db: Queryable): Promise<void> {
  await db.query(
    `delete from back_office.undo where (at < now() - ${KEPT} and ${DATE_IS_SURE}) or id in (
       select id from (select id, sum(bytes) over (order by at desc, id) as together from back_office.undo) u
       where together > ${MOST_OF_ALL})`,
  )
}

const SLUGS = 'select lower(given.slug) from jsonb_array_elements_text($1::jsonb) given (slug)'

/** What is kept of a visitor who is at one of these slugs, or was, also under the visitor's other slugs. */
const OF_VISITOR = `u.visitor_id in (
  select visitor_id from back_office.undo_visitors where lower(slug) in (${SLUGS})
  union all select id from public.visitors where lower(slug) in (${SLUGS}))`

/** All that is kept of a visitor, as it is stored. */
export async function undoRowsOf(db: Queryable, slugs: readonly string[]): Promise<unknown[]> {
  const { rows } = await db.query<{ row: unknown }>(
    `select to_jsonb(u) as row from back_office.undo_visitors u where ${OF_VISITOR}`,
    [slugs],
  )
  return rows.map(({ row }) => row)
}

/** Forgets what is kept of a visitor. */
export async function forgetVisitor(db: Queryable, slugs: readonly string[]): Promise<void> {
  await db.query(`delete from back_office.undo_visitors u where ${OF_VISITOR}`, [slugs])
}

export const undoGone = () =>
  new OperatorsError(
    'undo_gone',
    'This can not be taken back any more: it was already, or it was more than a day ago',
  )
