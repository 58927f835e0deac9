import type { Queryable } from '@heyline/database'

/** How long what was delivered or given up is kept, with the log of its tries, in days. */
const KEPT_DAYS = 30
/** Most rows that one statement takes. */
const MOST = 500

/** Removes deliveries that were over 30 days ago, or wait that long for an endpoint that is disabled, with the log of their tries. Resolves with how many. */
export async function removeOldDeliveries(db: Queryable): Promise<number> {
  const over = `select endpoint_id, event_seq from timeline.deliveries where done_at < now() - interval '${KEPT_DAYS} days'
    order by done_at limit ${MOST} for update skip locked`
  const waiting = `select d.endpoint_id, d.event_seq from timeline.deliveries d join timeline.endpoints p on p.id = d.endpoint_id
    where p.disabled_at is not null and d.state = 'pending' and d.run_at < now() - interval '${KEPT_DAYS} days'
    limit ${MOST} for update of d skip locked`
  return (await inParts(db, over)) + (await inParts(db, waiting))
}

async function inParts(db: Queryable, old: string): Promise<number> {
  for (let removed = 0; ; ) {
    const { rowCount } = await db.query(
      `with old as (${old}) delete from timeline.deliveries d using old
       where d.endpoint_id = old.endpoint_id and d.event_seq = old.event_seq`,
    )
    removed += rowCount
    if (rowCount < MOST) return removed
  }
}
