import { type Db, isDateSure } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import { everyHour } from '@heyline/kit/every-hour'
import type { Logger } from 'pino'

export interface TimelineRetentionOptions {
  db: Db
  /** How long events are kept. At least 32: some are looked for in the last 31. */
  days: number
  logger: Logger
  clock?: Clock
}

/** Most events that one statement takes, so that none takes long. */
const MOST = 500

/** Removes old events with what was to be told of them, at once and every hour. Counts stay. Resolves with how to end it. */
export const keepTimelineBounded = ({
  db,
  days,
  logger,
  clock,
}: TimelineRetentionOptions): (() => Promise<void>) =>
  everyHour({
    async run() {
      if (!(await isDateSure(db, logger))) return
      const events = await forgetEvents(db, days)
      if (events > 0) logger.info({ events }, 'old events were deleted')
    },
    onError: (err) => logger.error({ err }, 'old events could not be deleted; the next try is in an hour'),
    clock,
  })

/** Removes events that are older than so many days, a few hundred at a time. Processes share the work. Resolves with how many those were. */
export async function forgetEvents(db: Db, days: number): Promise<number> {
  let removed = 0
  for (;;) {
    const { rowCount } = await db.query(
      `delete from timeline.events where seq in (
         select e.seq from timeline.events e where e.at < now() - $1::float8 * interval '1 day'
         order by e.seq limit ${MOST} for update skip locked)`,
      [days],
    )
    removed += rowCount
    if (rowCount < MOST) break
  }
  // New rows take the place of these. A Postgres sees to that by itself.
  if (removed > 0 && db.kind === 'pglite')
    for (const table of ['timeline.events', 'timeline.deliveries', 'timeline.attempts'])
      await db.query(`vacuum ${table}`)
  return removed
}
