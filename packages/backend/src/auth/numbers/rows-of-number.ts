import type { Queryable } from '@heyline/database'
import { audit } from '../audit/audit.js'
import { removeFactor } from '../factors/unenrolling.js'
import { isOurs } from '../ours.js'

/** Rows of one table, as they are stored, without secrets and without what the guards count. */
interface Rows {
  table: string
  rows: unknown[]
}

const FACTORS = 'auth.mfa_factors'
const USERS = 'auth.users'

/** Accounts have their number without the plus, as Supabase's do. */
const phoneOf = (number: string): string => number.replace('+', '')

/** The second factors that send their codes to this number (E.164), and the accounts that have it. */
export async function authRowsOfNumber(db: Queryable, number: string): Promise<Rows[]> {
  const ours = await isOurs(db)
  const rowsOf = async (table: string, selected: string, phone: string): Promise<Rows> => {
    if (!ours) return { table, rows: [] }
    const { rows } = await db.query<{ row: unknown }>(
      `select ${selected} as row from ${table} t where t.phone = $1 order by t.created_at, t.id`,
      [phone],
    )
    return { table, rows: rows.map(({ row }) => row) }
  }
  return [
    await rowsOf(FACTORS, "to_jsonb(t) - 'secret' - 'last_step' - 'failures' - 'locked_until'", number),
    await rowsOf(USERS, "to_jsonb(t) - 'encrypted_password'", phoneOf(number)),
  ]
}

/**
 * Removes these factors, and the number from the accounts, in a transaction. Sessions that were raised by a factor go back to aal1. Resolves
 * with how many there were of each.
 */
export async function eraseNumberFromAuth(
  tx: Queryable,
  number: string,
): Promise<{ factors: number; accounts: number }> {
  if (!(await isOurs(tx))) return { factors: 0, accounts: 0 }
  // Accounts first, as everything does that changes factors.
  await tx.query(
    `select from ${USERS} u where u.phone = $2 or u.id in (select f.user_id from ${FACTORS} f where f.phone = $1)
     order by u.id for no key update`,
    [number, phoneOf(number)],
  )
  const { rows } = await tx.query<{ id: string; user_id: string; now: Date }>(
    `select id, user_id, now() as now from ${FACTORS} where phone = $1`,
    [number],
  )
  for (const { id, user_id: userId, now } of rows) {
    await removeFactor(tx, { userId, factorId: id, at: now })
    await audit(tx, { action: 'factor_deleted', address: '', traits: { user_id: userId, factor_id: id } })
  }
  const { rows: accounts } = await tx.query<{ id: string }>(
    `update ${USERS} set phone = null, phone_confirmed_at = null, updated_at = now() where phone = $1 returning id`,
    [phoneOf(number)],
  )
  for (const { id } of accounts)
    await audit(tx, { action: 'user_modified', address: '', traits: { user_id: id } })
  return { factors: rows.length, accounts: accounts.length }
}
