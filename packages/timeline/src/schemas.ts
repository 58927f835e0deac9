// What the operator API and its clients describe the timeline by. Nothing here reaches a database.

export {
  attemptPage,
  DELIVERY_STATES,
  deliveryPage,
  LOG_LIMIT,
} from './endpoints/delivery-log.js'
export {
  ENDPOINT_NAME_MOST,
  endpoint,
  endpointChange,
  newEndpoint,
  testResult,
} from './endpoints/endpoint.js'
export { EVENT_TYPES, type EventType, timelineEvent } from './events/event.js'
export {
  ENGAGED_LIMIT,
  ENGAGEMENT_FILTERS,
  engagedPage,
  engagement,
} from './reading/engagement.js'
export { EVENT_LIST_LIMIT, eventPage } from './reading/list-events.js'
