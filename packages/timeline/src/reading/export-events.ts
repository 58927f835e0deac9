import type { Queryable } from '@heyline/database'
import { mapInTurns } from '@heyline/kit/loop-turn'
import { EVENT_COLUMNS, type EventRow, eventOf, type TimelineEvent } from '../events/event.js'
import { conditionsOf, type EventFilter, whereOf } from './event-filter.js'

/** How many events one part of an export holds. */
const PART_SIZE = 1000

/** All events that a filter means, the oldest first, in parts. Not one snapshot: what happens meanwhile may be in it or not. */
export async function* exportEvents(
  db: Queryable,
  filter: EventFilter = {},
): AsyncGenerator<TimelineEvent[]> {
  for (let after = 0; ; ) {
    const values: unknown[] = [after]
    const conditions = ['e.seq > $1::bigint', ...conditionsOf(filter, values)]
    const { rows } = await db.query<EventRow>(
      `select ${EVENT_COLUMNS} from timeline.events e ${whereOf(conditions)} order by e.seq limit ${PART_SIZE}`,
      values,
    )
    const last = rows.at(-1)
    if (last) yield await mapInTurns(rows, eventOf)
    if (!last || rows.length < PART_SIZE) return
    after = last.seq
  }
}
