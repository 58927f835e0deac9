import type { Queryable } from '../db/db.js'

/** How many transactions of this Postgres database wait for a lock of another. */
export async function lockWaits(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
  )
  return rowCount
}
