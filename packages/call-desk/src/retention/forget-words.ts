import type { Db } from '@heyline/database'

/** Most calls that one statement takes, so that none takes long. */
const most = 1000

/** Removes transcripts and summaries of calls that were asked for so many days ago. Resolves with how many calls had some. */
export async function forgetWords(db: Db, days: number): Promise<number> {
  let forgotten = 0
  for (;;) {
    const { rowCount } = await db.query(
      `update call_desk.call_requests set transcript = null, summary = null
       where id in (
         select id from call_desk.call_requests
         where created_at < now() - $1::int * interval '1 day' and (transcript is not null or summary is not null)
         limit ${most})`,
      [days],
    )
    forgotten += rowCount
    if (rowCount < most) return forgotten
  }
}
