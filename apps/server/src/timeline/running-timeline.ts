import { type Timeline, TimelineError, type TimelineErrorCode } from '@heyline/timeline'
import { type OfficeErrors, runningOffice } from '../running-server/running-office.js'

const TIMELINE_ERRORS: OfficeErrors<TimelineErrorCode> = {
  passedOn: ['invalid_event_id', 'event_not_found', 'several_events'],
  unreachable: 'timeline_unreachable',
  make: (code, message, options) => new TimelineError(code, message, options),
  look: 'heyline events list',
}

/** The timeline of a running server, through `/-/office`. */
export function runningTimeline(serverUrl: string, secretKey: string): Timeline {
  const { timeline } = runningOffice(serverUrl, secretKey, TIMELINE_ERRORS)
  return {
    list: (query) => timeline.list({ ...query, types: query.types?.join(',') }),
    show: (id) => timeline.show({ id }),
    export: (filter = {}) => timeline.export({ ...filter, types: filter.types?.join(',') }),
    async *follow(signal) {
      try {
        yield* timeline.follow(undefined, signal)
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },
    visitor: (slug) => timeline.visitor({ slug }),
    engaged: (query) => timeline.engaged(query),
  }
}
