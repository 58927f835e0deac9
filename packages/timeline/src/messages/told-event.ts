import type { EventType, TimelineEvent } from '../events/event.js'

/** An event with what people call its visitor. */
export interface ToldEvent extends Omit<TimelineEvent, 'type'> {
  /** `endpoint.test` is what the test of an endpoint sends. */
  type: EventType | 'endpoint.test'
  /** Of the stored visitor, where there is one; only messages for people say it. */
  name: string | null
}

/** Where a message leads. */
export interface EventLinks {
  /** The full record, for programs. It may hang on nothing but the event: a message that is sent again must be the same. */
  linkOf(event: ToldEvent): string
  /** What a person looks at. */
  pageOf(event: ToldEvent): string
}
