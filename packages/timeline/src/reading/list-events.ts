import type { Queryable } from '@heyline/database'
import { mapInTurns } from '@heyline/kit/loop-turn'
import { z } from 'zod'
import { EVENT_COLUMNS, type EventRow, eventOf, type TimelineEvent, timelineEvent } from '../events/event.js'
import { TimelineError } from '../timeline-error.js'
import { conditionsOf, type EventFilter, whereOf } from './event-filter.js'

/** Longest page. */
export const EVENT_LIST_LIMIT = 1000

export interface EventQuery extends EventFilter {
  /** The `next` of the page before. */
  before?: string | undefined
  /** At most `EVENT_LIST_LIMIT`. */
  limit: number
}

export const eventPage = z.object({
  events: z.array(timelineEvent),
  /** Where the next page begins; null at the end. */
  next: z.string().nullable(),
})
export type EventPage = z.output<typeof eventPage>

/** A page of events, the newest first. */
export async function listEvents(
  db: Queryable,
  { before, limit, ...filter }: EventQuery,
): Promise<EventPage> {
  const most = Math.min(limit, EVENT_LIST_LIMIT)
  const values: unknown[] = [most + 1]
  const conditions = conditionsOf(filter, values)
  if (before !== undefined) conditions.push(`e.seq < $${values.push(before)}::bigint`)
  const { rows } = await db.query<EventRow>(
    `select ${EVENT_COLUMNS} from timeline.events e ${whereOf(conditions)} order by e.seq desc limit $1`,
    values,
  )
  const page = rows.slice(0, most)
  return {
    events: await mapInTurns(page, eventOf),
    next: rows.length > most ? String(page.at(-1)?.seq) : null,
  }
}

/** Shortest beginning of an id that is looked for. */
const SHORTEST = 6

/** The event whose id is this, or begins so: six characters or more, where no other begins so. Rejects with a `TimelineError`. */
export async function findEvent(db: Queryable, id: string): Promise<TimelineEvent> {
  if (!/^[0-9a-f-]{1,36}$/i.test(id) || id.length < SHORTEST)
    throw new TimelineError(
      'invalid_event_id',
      `An id of an event, or its first ${SHORTEST} characters, is needed`,
    )
  const least = id
    .toLowerCase()
    .padEnd(36, '0')
    .replace(/./g, (sign, at) => (isDash(at) ? '-' : sign))
  const most = id
    .toLowerCase()
    .padEnd(36, 'f')
    .replace(/./g, (sign, at) => (isDash(at) ? '-' : sign))
  const { rows } = await db.query<EventRow>(
    `select ${EVENT_COLUMNS} from timeline.events e where e.id between $1 and $2 limit 2`,
    [least, most],
  )
  const [row, other] = rows
  if (!row) throw new TimelineError('event_not_found', `There is no event ${id}: see heyline events list`)
  if (other) throw new TimelineError('several_events', `Several events begin with ${id}: give more of the id`)
  return eventOf(row)
}

/** Where a UUID has a dash. */
const isDash = (at: number): boolean => [8, 13, 18, 23].includes(at)
