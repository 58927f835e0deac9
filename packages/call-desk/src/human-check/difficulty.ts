import type { Queryable } from '@heyline/database'

/** The work doubles so many times at the most: what a phone does in a second becomes a minute. */
export const mostDoublings = 6

/** How often the work doubles for a client of this network (/24, /48): once for each request for a call from there in the last hour. */
export async function doublingsFor(db: Queryable, network: string): Promise<number> {
  const { rows } = await db.query<{ attempts: number }>(
    `select count(*)::int as attempts from (
       select from call_desk.call_requests
       where network = $1 and created_at > now() - interval '1 hour' limit ${mostDoublings}) recent`,
    [network],
    { prepared: true },
  )
  return rows[0]?.attempts ?? 0
}
