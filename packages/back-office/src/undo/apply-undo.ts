import { boundedParts, type Db, type Queryable } from '@heyline/database'
import type { InTurn } from '@heyline/kit/waiting-line'
import { actAsOperator } from '../audit/event-actor.js'
import { hashOf, KEPT, undoGone } from './visitor-undo.js'
import { PART } from './write-part.js'

/** What was taken back. */
export interface Undone {
  /** As the audit names the change that was taken back. */
  what: string
  /** Visitors that are again as they were. */
  restored: number
  /** Visitors that the change had added, and that are gone. */
  removed: number
  /** Visitors that were left as they are: somebody changed them since, or has taken their slug. */
  left: number
}

/** What is done with what was kept of visitors, in this order: those that the change had added go first, and so do their slugs. */
const STEPS = {
  remove: `delete from public.visitors v using these u
    where u.before is null and v.id = u.visitor_id and ${hashOf('v')} = u.after`,
  restore: `update public.visitors v set slug = old.slug, name = old.name, system = old.system,
      first_message = old.first_message, listed = old.listed
    from these u, jsonb_populate_record(null::public.visitors, u.before) old
    where v.id = u.visitor_id and ${hashOf('v')} = u.after and not exists (
      select from public.visitors other where lower(other.slug) = lower(u.slug) and other.id <> v.id)`,
  insert: `insert into public.visitors select (jsonb_populate_record(null::public.visitors, before)).*
    from these where before is not null and after is null
    on conflict do nothing`,
} as const
type Step = keyof typeof STEPS

/** How each is counted. */
const COUNTED = { remove: 'removed', restore: 'restored', insert: 'restored' } as const satisfies Record<
  Step,
  keyof Undone
>

/** Hears what a part takes back, in its transaction. */
export type CountUndone = (
  tx: Queryable,
  undone: Pick<Undone, 'what'> & Partial<Pick<Undone, 'restored' | 'removed'>>,
) => Promise<void>

interface KeptRow {
  id: string
  step: Step
  bytes: number
}

/**
 * Takes a change back, once, in parts that are each for good and counted: where it breaks off, the rest can be taken back as before. Rejects with an
 * `OperatorsError` where that is not possible any more.
 */
export async function applyUndo(
  db: Db,
  userId: string,
  id: string,
  inTurn: InTurn = (part) => part(),
  count: CountUndone = async () => {},
): Promise<Undone> {
  const { what, kept } = await inTurn(() => read(db, userId, id))
  const done: Record<Step, number> = { remove: 0, restore: 0, insert: 0 }
  for (const step of ['remove', 'restore', 'insert'] as const)
    for (const part of boundedParts(
      kept.filter((row) => row.step === step),
      PART,
    ))
      done[step] += await inTurn(() =>
        db.transaction(async (tx) => {
          await actAsOperator(tx, userId)
          const taken = await takeBack(tx, id, step, part)
          await count(tx, { what, [COUNTED[step]]: taken })
          return taken
        }),
      )
  await db.query('delete from back_office.undo where id::text = $1', [id])
  const restored = done.restore + done.insert
  return { what, restored, removed: done.remove, left: kept.length - restored - done.remove }
}

/** From now on it is the newest, so that others' changes do not sweep it away. */
async function read(db: Db, userId: string, id: string): Promise<{ what: string; kept: KeptRow[] }> {
  const { rows } = await db.query<{ what: string }>(
    `update back_office.undo set at = now() where id::text = $1 and user_id = $2 and at > now() - ${KEPT} returning what`,
    [id, userId],
  )
  const [undo] = rows
  if (!undo) throw undoGone()
  const { rows: kept } = await db.query<KeptRow>(
    `select visitor_id as id, coalesce(length(before::text), 0) as bytes,
       case when before is null then 'remove' when after is null then 'insert' else 'restore' end as step
     from back_office.undo_visitors where undo_id = $1 order by visitor_id`,
    [id],
  )
  return { what: undo.what, kept }
}

/** What is taken back is kept no longer, so that nobody takes it back again. */
async function takeBack(tx: Queryable, id: string, step: Step, part: readonly KeptRow[]): Promise<number> {
  const these = `undo_id = $1 and visitor_id in (select json_array_elements_text($2::json)::uuid)`
  const parameters = [id, part.map((row) => row.id)]
  const { rowCount: stands } = await tx.query(
    'select from back_office.undo where id::text = $1 for key share',
    [id],
  )
  if (stands === 0) throw undoGone()
  const { rowCount } = await tx.query(
    `with these as materialized (select * from back_office.undo_visitors where ${these} for update) ${STEPS[step]}`,
    parameters,
  )
  await tx.query(`delete from back_office.undo_visitors where ${these}`, parameters)
  return rowCount
}
