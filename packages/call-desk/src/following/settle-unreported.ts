import type { Db } from '@heyline/database'
import { type CostRules, costOf } from '../news/news-sql.js'

/** How long the platform's report may come after a record that was only shown when asked. */
const REPORT_DELAY = "interval '5 minutes'"

/** Older entries wait no more: they count as they are. */
const OLDEST = "interval '7 days'"

/**
 * Settles calls whose report did not come, at the cost that the platform showed when asked. Settled earlier, that cost could be less than
 * the report's, and the difference would be spent twice. An entry that another process settles at this moment is left to it.
 */
export async function settleUnreported(db: Db, { costsArePart = false }: CostRules = {}): Promise<void> {
  await db.query(
    `with open as materialized (
       select m.id, ${costOf('m', '$1::boolean')} as cost
       from call_desk.ledger l join call_desk.call_requests m on m.id = l.request_id
       where l.spent is null and l.at > now() - ${OLDEST} and m.recorded_at < now() - ${REPORT_DELAY}
       for update of l skip locked)
     select call_desk.settle_spend(id, cost)::text from open where cost is not null`,
    [costsArePart],
    { prepared: true },
  )
}
