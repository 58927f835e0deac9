import { type Db, inParts, isDateSure, MOST_IN_PART } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import { everyHour } from '@heyline/kit/every-hour'
import type { Logger } from 'pino'

/** How long events are kept. Some are looked for in the last 31 days, and messages of them wait for some days. */
export interface EventDays {
  /** At least 32. */
  all: number
  /** Of requests for a call that were refused, which strangers make in any number; 32 days at least. */
  refused: number
}

/** Shortest time that any event is kept, in days. */
const LEAST_DAYS = 32

export interface TimelineRetentionOptions {
  db: Db
  days: EventDays
  logger: Logger
  clock?: Clock
}

/** Removes old events with what was to be told of them, at once and every hour. Counts stay. Resolves with how to end it. */
export function keepTimelineBounded({
  db,
  days,
  logger,
  clock,
}: TimelineRetentionOptions): () => Promise<void> {
  const closing = new AbortController()
  const end = everyHour({
    async run() {
      if (!(await isDateSure(db, logger))) return
      const events = await forgetEvents(db, days, closing.signal)
      if (events > 0) logger.info({ events }, 'old events were deleted')
    },
    onError: (err) => logger.error({ err }, 'old events could not be deleted; the next try is in an hour'),
    clock,
  })
  return async () => {
    closing.abort()
    await end()
  }
}

/** Removes events that are older than their days, in parts. Processes share the work. Resolves with how many those were. */
export async function forgetEvents(
  db: Db,
  { all, refused }: EventDays,
  signal?: AbortSignal,
): Promise<number> {
  const take = (days: number, which = '') =>
    inParts(async () => {
      const { rowCount } = await db.query(
        `delete from timeline.events where seq in (
           select e.seq from timeline.events e where e.at < now() - $1::float8 * interval '1 day'${which}
           order by e.at limit ${MOST_IN_PART} for update skip locked)`,
        [days],
      )
      return rowCount
    }, signal)
  const old = await take(all)
  // By the index `events_refused_by_time`.
  const removed = old + (await take(Math.max(LEAST_DAYS, refused), " and e.type = 'call.refused'"))
  // New rows take the place of these. A Postgres sees to that by itself.
  if (removed > 0 && db.kind === 'pglite')
    for (const table of ['timeline.events', 'timeline.deliveries', 'timeline.attempts'])
      await db.query(`vacuum ${table}`)
  return removed
}
