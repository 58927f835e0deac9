import type { Queryable } from '@heyline/database'

/** Ends the links of an account that were not used: a new password must not be undone by an old mail. */
export async function forgetLinks(tx: Queryable, userId: string): Promise<void> {
  await tx.query('delete from auth.one_time_tokens where user_id = $1', [userId])
}
