export { EVENT_TYPES, type EventType, type TimelineEvent, timelineEvent } from './events/event.js'
export { actAs, type NewEvent, recordEvent } from './events/record-event.js'
export { isAutomation } from './opens/automation.js'
export { type Opening, Opens, type OpensOptions } from './opens/opens.js'
export {
  ENGAGEMENT_FILTERS,
  type EngagedPage,
  type EngagedQuery,
  type Engagement,
  type EngagementFilter,
  type VisitorCounts,
} from './reading/engagement.js'
export type { EventFilter } from './reading/event-filter.js'
export { EVENT_LIST_LIMIT, type EventPage, type EventQuery } from './reading/list-events.js'
export { createTimeline, type Timeline } from './timeline.js'
export { TimelineError, type TimelineErrorCode } from './timeline-error.js'
