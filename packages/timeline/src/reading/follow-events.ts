import type { Db } from '@heyline/database'
import { Bell } from '@heyline/kit/bell'
import { EVENT_COLUMNS, type EventRow, eventOf, type TimelineEvent } from '../events/event.js'
import { EVENTS_CHANNEL } from '../events/events-channel.js'

/** A transaction is committed at most so long after the time that its events bear; longer than a statement may run. */
const OVERLAP = "interval '30 seconds'"
/** Most events that are told at once; the rest comes with the next part. */
const PART_SIZE = 500
/** Before these is nothing recent: rows are looked at from the newest on, until one is so old. */
const OLDER = `select o.seq from timeline.events o where o.at < now() - 2 * ${OVERLAP} order by o.seq desc limit 1`

/**
 * Events from now on, in the order in which they are committed, of all processes, in parts as they come, until the signal is aborted. A
 * notification only wakes: what is told is read from the rows, so that a lost one costs a second at most. The first part is empty and
 * comes when no event is missed any more.
 */
export async function* followEvents(db: Db, signal: AbortSignal): AsyncGenerator<TimelineEvent[]> {
  const bell = new Bell(signal)
  const unlisten = await db.listen(EVENTS_CHANNEL, () => bell.ring())
  try {
    // Transactions end in another order than their events are numbered: those of the last seconds are looked at again.
    let told = new Set((await recent(db)).map(({ seq }) => seq))
    yield []
    while (await bell.wait()) {
      const rows = await recent(db)
      const fresh = rows.filter(({ seq }) => !told.has(seq))
      told = new Set(rows.map(({ seq }) => seq))
      for (let start = 0; start < fresh.length; start += PART_SIZE)
        yield fresh.slice(start, start + PART_SIZE).map(eventOf)
    }
  } finally {
    await unlisten()
  }
}

async function recent(db: Db): Promise<EventRow[]> {
  const { rows } = await db.query<EventRow>(
    `select ${EVENT_COLUMNS} from timeline.events e
     where e.seq > coalesce((${OLDER}), 0) and e.at > now() - ${OVERLAP} order by e.seq`,
  )
  return rows
}
