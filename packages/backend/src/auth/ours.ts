import type { Queryable } from '@heyline/database'

/** Whether the accounts of this database are ours. False where it has a Supabase project's own, which only its own Auth may touch, or none. */
export async function isOurs(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ ours: boolean }>(
    "select to_regclass('auth.signing_keys') is not null as ours",
  )
  return rows[0]?.ours === true
}
