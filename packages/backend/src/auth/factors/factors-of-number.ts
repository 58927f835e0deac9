import type { Queryable } from '@heyline/database'
import { audit } from '../audit/audit.js'
import { isOurs } from '../ours.js'
import { removeFactor } from './unenrolling.js'

const TABLE = 'auth.mfa_factors'

/** The second factors that send their codes to this number (E.164), as they are stored, without what the guards count. */
export async function factorsOfNumber(
  db: Queryable,
  number: string,
): Promise<{ table: string; rows: unknown[] }> {
  if (!(await isOurs(db))) return { table: TABLE, rows: [] }
  const { rows } = await db.query<{ row: unknown }>(
    `select to_jsonb(f) - 'secret' - 'last_step' - 'failures' - 'locked_until' as row from ${TABLE} f
     where f.phone = $1 order by f.created_at, f.id`,
    [number],
  )
  return { table: TABLE, rows: rows.map(({ row }) => row) }
}

/** Removes these factors, in a transaction. Sessions that were raised by one go back to aal1. Resolves with how many there were. */
export async function eraseFactorsOfNumber(tx: Queryable, number: string): Promise<number> {
  if (!(await isOurs(tx))) return 0
  // Accounts first, as everything does that changes factors.
  await tx.query(
    `select from auth.users where id in (select f.user_id from ${TABLE} f where f.phone = $1)
     order by id for no key update`,
    [number],
  )
  const { rows } = await tx.query<{ id: string; user_id: string; now: Date }>(
    `select id, user_id, now() as now from ${TABLE} where phone = $1`,
    [number],
  )
  for (const { id, user_id: userId, now } of rows) {
    await removeFactor(tx, { userId, factorId: id, at: now })
    await audit(tx, { action: 'factor_deleted', address: '', traits: { user_id: userId, factor_id: id } })
  }
  return rows.length
}
