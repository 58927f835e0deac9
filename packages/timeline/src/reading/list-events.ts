import type { Queryable } from '@heyline/database'
import { z } from 'zod'
import {
  EVENT_COLUMNS,
  type EventRow,
  type EventType,
  eventOf,
  type TimelineEvent,
  timelineEvent,
} from '../events/event.js'

/** Longest page. */
export const EVENT_LIST_LIMIT = 1000

export interface EventQuery {
  /** One visitor's, as stored. */
  slug?: string | undefined
  /** Any of these. */
  types?: readonly EventType[] | undefined
  /** ISO 8601: at this time or later. */
  since?: string | undefined
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
  { slug, types, since, before, limit }: EventQuery,
): Promise<EventPage> {
  const most = Math.min(limit, EVENT_LIST_LIMIT)
  const values: unknown[] = [most + 1]
  const value = (given: unknown) => `$${values.push(given)}`
  const conditions = [
    ...(slug === undefined ? [] : [`e.slug = ${value(slug)}`]),
    ...(types === undefined
      ? []
      : [`e.type = any (array(select jsonb_array_elements_text(${value(types)}::jsonb)))`]),
    ...(since === undefined ? [] : [`e.at >= ${value(since)}::timestamptz`]),
    ...(before === undefined ? [] : [`e.seq < ${value(before)}::bigint`]),
  ]
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
  const { rows } = await db.query<EventRow>(
    `select ${EVENT_COLUMNS} from timeline.events e ${where} order by e.seq desc limit $1`,
    values,
  )
  const page = rows.slice(0, most)
  return { events: page.map(eventOf), next: rows.length > most ? String(page.at(-1)?.seq) : null }
}

/** The event of an id, or undefined. */
export async function findEvent(db: Queryable, id: string): Promise<TimelineEvent | undefined> {
  const { rows } = await db.query<EventRow>(
    `select ${EVENT_COLUMNS} from timeline.events e where e.id = $1`,
    [id],
  )
  return rows[0] && eventOf(rows[0])
}
