import type { Db } from '@heyline/database'
import type { TimelineEvent } from './events/event.js'
import {
  type EngagedPage,
  type EngagedQuery,
  type Engagement,
  listEngaged,
  readEngagement,
} from './reading/engagement.js'
import type { EventFilter } from './reading/event-filter.js'
import { exportEvents } from './reading/export-events.js'
import { followEvents } from './reading/follow-events.js'
import { type EventPage, type EventQuery, findEvent, listEvents } from './reading/list-events.js'

/** What happened, as an operator reads it, with any number of processes at work. What can't be had rejects with a `TimelineError`. */
export interface Timeline {
  /** A page of events, the newest first. */
  list(query: EventQuery): Promise<EventPage>
  /** The event with this id, or the one whose id begins so (six characters or more). */
  show(id: string): Promise<TimelineEvent>
  /** All of them, the oldest first, in parts. */
  export(filter?: EventFilter): AsyncIterable<TimelineEvent[]>
  /** Events from now on, until the signal is aborted; an empty part comes first, where the database is at hand. */
  follow(signal: AbortSignal): AsyncIterable<TimelineEvent[]>
  /** What a visitor did, in any case of the slug. */
  visitor(slug: string): Promise<Engagement>
  /** Who did something, the one seen last first. */
  engaged(query: EngagedQuery): Promise<EngagedPage>
}

export const createTimeline = (db: Db): Timeline => ({
  list: (query) => listEvents(db, query),
  show: (id) => findEvent(db, id),
  export: (filter) => exportEvents(db, filter),
  follow: (signal) => followEvents(db, signal),
  visitor: (slug) => readEngagement(db, slug),
  engaged: (query) => listEngaged(db, query),
})
