import type { Queryable } from '@heyline/database'

/** How the deliveries of all endpoints stand. An endpoint that was switched off counts for nothing. */
export interface DeliveryFigures {
  /** Due now. */
  due: number
  /** For how long the oldest has been due, in seconds. */
  ageSeconds: number
  /** Given up in the last 24 hours. */
  dead: number
}

/** Most that is counted of each. */
const MOST_COUNTED = 10_000

/** Both counts are bounded, and read an index. */
export async function readDeliveryFigures(db: Queryable): Promise<DeliveryFigures> {
  const { rows } = await db.query<DeliveryFigures>(
    `select (select count(*)::int from (select from timeline.endpoints p join timeline.deliveries d on d.endpoint_id = p.id
         where p.disabled_at is null and d.state = 'pending' and d.run_at <= now() limit ${MOST_COUNTED}) due) as due,
       (select greatest(0, coalesce(max(extract(epoch from now() - oldest.run_at)), 0))::float8
         from timeline.endpoints p cross join lateral (select d.run_at from timeline.deliveries d
           where d.endpoint_id = p.id and d.state = 'pending' order by d.run_at limit 1) oldest
         where p.disabled_at is null) as "ageSeconds",
       (select count(*)::int from (select from timeline.deliveries d
         where d.done_at > now() - interval '24 hours' and d.state = 'dead' limit ${MOST_COUNTED}) dead) as dead`,
  )
  return rows[0] ?? { due: 0, ageSeconds: 0, dead: 0 }
}
