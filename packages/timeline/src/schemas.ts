// What the operator API and its clients describe the timeline by. Nothing here reaches a database.
export { EVENT_TYPES, type EventType, timelineEvent } from './events/event.js'
export {
  ENGAGED_LIMIT,
  ENGAGEMENT_FILTERS,
  engagedPage,
  engagement,
  visitorCounts,
} from './reading/engagement.js'
export { EVENT_LIST_LIMIT, eventPage } from './reading/list-events.js'
