export { createDelivery, createEndpoints, type Delivery, type DeliveryOptions } from './delivery/delivery.js'
export { type DeliveryFigures, readDeliveryFigures } from './delivery/delivery-figures.js'
export type { AttemptPage, DeliveryPage, LogQuery } from './endpoints/delivery-log.js'
export type {
  Endpoint,
  EndpointChange,
  EndpointWithSecret,
  NewEndpoint,
  TestResult,
} from './endpoints/endpoint.js'
export { EndpointError, type EndpointErrorCode } from './endpoints/endpoint-error.js'
export type { Endpoints } from './endpoints/endpoints.js'
export { actingAs } from './events/acting-as.js'
export { actorKind } from './events/actor-kind.js'
export { EVENT_TYPES, type EventType, type TimelineEvent, timelineEvent } from './events/event.js'
export { EVENTS_CHANNEL } from './events/events-channel.js'
export { actAs, type NewEvent, recordEvent } from './events/record-event.js'
export type { EventMail } from './messages/event-mail.js'
export type { ToldEvent } from './messages/told-event.js'
export { isAutomation } from './opens/automation.js'
export { type Opening, Opens, type OpensOptions } from './opens/opens.js'
export { formerSlugsOf } from './people/former-slugs.js'
export {
  eraseCallEvents,
  eraseFromTimeline,
  eraseManyEvents,
  timelineRowsOf,
} from './people/person-events.js'
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
export { keepTimelineBounded } from './retention/timeline-retention.js'
export * from './settings.js'
export { createTimeline, type Timeline } from './timeline.js'
export { TimelineError, type TimelineErrorCode } from './timeline-error.js'
