import type { Queryable } from '@heyline/database'

/**
 * Counts a check as used, once for all processes: false where it was used before. To be asked inside the transaction that stores the
 * request: what is rolled back is not used. Of two at the same time the second waits for the first one's end.
 */
export async function useCheck(tx: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    'insert into call_desk.used_checks (id) values ($1) on conflict do nothing',
    [id],
  )
  return rowCount === 1
}

/** Whether a check was used before. No lock is waited for: `useCheck` has the last word. */
export async function isCheckUsed(db: Queryable, id: string): Promise<boolean> {
  const { rows } = await db.query('select from call_desk.used_checks where id = $1', [id], { prepared: true })
  return rows.length > 0
}
