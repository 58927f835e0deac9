export { actingAs } from './events/acting-as.js'
export { EVENT_TYPES, type EventType, type TimelineEvent, timelineEvent } from './events/event.js'
export { actAs, type NewEvent, recordEvent } from './events/record-event.js'
export { eraseFromTimeline, timelineRowsOf } from './people/person-events.js'
export {
  countsOfSlugs,
  type EngagedPage,
  type EngagedQuery,
  type Engagement,
  type EngagementFilter,
  listEngaged,
  readEngagement,
  type VisitorCounts,
} from './reading/engagement.js'
export { type EventPage, type EventQuery, findEvent, listEvents } from './reading/list-events.js'
export { keepTimelineBounded } from './retention/timeline-retention.js'
