import type { Queryable } from '@heyline/database'

/** The work doubles so many times at the most: the page has 15 s for it, and a slow phone needs most of them for eight times the work. */
const mostDoublings = 3

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
