import type { Logger } from 'pino'
import type { Queryable } from '../db/db.js'

/** Rows are looked through every hour. Where the date is so much later than at the last look, no server ran, or the clock is wrong. */
const LEAP = "interval '2 days'"
/** How long a date is doubted that nobody puts right. */
const DOUBT = "interval '24 hours'"
/** Whoever puts a clock right takes it back further. Looks at the same moment differ by less. */
const BACK = "interval '1 hour'"

/**
 * A condition of SQL: what is old may be removed. For what is removed between the looks of `isDateSure`; it holds nothing up where there was
 * no look yet.
 */
export const DATE_IS_SURE = `not exists (
  select from back_office.date_checks where doubted_since is not null or now() > seen_at + ${LEAP})`

const LOOK = `
  insert into back_office.date_checks as last default values
  on conflict (is_only) do update set seen_at = now(), doubted_since = case
    when last.doubted_since is null and now() > last.seen_at + ${LEAP} then now()
    when now() < last.doubted_since - ${BACK} or now() >= last.doubted_since + ${DOUBT} then null
    else last.doubted_since end
  returning doubted_since is null as "isSure", coalesce(doubted_since = now(), false) as "isNew", now() as now,
    (select seen_at from back_office.date_checks) as "seenAt"`

/**
 * Whether what is old may be removed now. Each hourly round that removes by age asks this first. Where the database's date is more than two
 * days later than at the last look of any process, it is doubted: until the clock is put back, or for 24 hours. The log then says so once.
 */
export async function isDateSure(db: Queryable, logger: Logger): Promise<boolean> {
  const { rows } = await db.query<{ isSure: boolean; isNew: boolean; now: Date; seenAt: Date }>(LOOK)
  const [look] = rows
  if (look?.isNew)
    logger.error(
      { now: look.now, lastSeen: look.seenAt },
      'the date has leapt by days: either no server ran, or the clock is wrong. Nothing old is deleted for 24 hours. Check the date of the machine, and of the database; if it is right, there is nothing to do',
    )
  return look?.isSure ?? false
}
