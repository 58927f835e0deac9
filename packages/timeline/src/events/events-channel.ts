/** The channel of NOTIFY on which the database tells that there are new events, or something else to send. */
export const EVENTS_CHANNEL = 'timeline_events'
