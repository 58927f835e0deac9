import type { Db } from '@heyline/database'

/** Most rows that one statement takes, so that none takes long. */
const most = 1000

const old = [
  "done_at < now() - interval '7 days'",
  "done_at is null and run_at = 'infinity' and received_at < now() - interval '30 days'",
]

/**
 * Removes what was kept for long enough of the inbox: the ids of messages, by which a repetition is known (7 days), and messages that
 * were given up (30 days).
 */
export async function cleanUp(db: Db): Promise<void> {
  for (const condition of old) {
    const sql = `delete from call_desk.inbox where id in (
      select id from call_desk.inbox where ${condition} limit ${most})`
    while ((await db.query(sql)).rowCount === most) {
      // There may be more.
    }
  }
}
