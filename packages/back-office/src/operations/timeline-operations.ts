import {
  ENGAGED_LIMIT,
  ENGAGEMENT_FILTERS,
  EVENT_LIST_LIMIT,
  EVENT_TYPES,
  engagedPage,
  engagement,
  eventPage,
  timelineEvent,
} from '@heyline/timeline/schemas'
import { z } from 'zod'
import { file, json, LONG_PATIENCE_MS, lines, liveLines, operation } from './operation.js'
import { isSafeCsv, moment, pageBefore, pageSize, wordList } from './query-fields.js'

const slug = z.string().min(1).max(1000)

/** Which events are meant; what is left out does not count. */
const filter = z.object({
  /** The visitor's, in any case. */
  slug: slug.optional(),
  /** Any of these. */
  types: wordList(z.enum(EVENT_TYPES)).optional(),
  since: moment.optional(),
})

export const timelineOperations = {
  list: operation({
    method: 'GET',
    path: '/timeline/events',
    summary: 'A page of what happened, the newest first',
    role: 'viewer',
    query: filter.extend({
      limit: pageSize(EVENT_LIST_LIMIT),
      before: pageBefore,
    }),
    answer: json(eventPage),
  }),
  show: operation({
    method: 'GET',
    path: '/timeline/event',
    summary: 'One event',
    role: 'viewer',
    query: z.object({ id: z.string().max(36) }),
    answer: json(timelineEvent),
    isQuick: true,
  }),
  follow: operation({
    method: 'GET',
    path: '/timeline/changes',
    summary: 'What happens from now on, as it comes',
    role: 'viewer',
    answer: liveLines(timelineEvent),
    patienceMs: Number.POSITIVE_INFINITY,
  }),
  visitor: operation({
    method: 'GET',
    path: '/timeline/visitor',
    summary: 'What is counted of a visitor, and the last 30 days of it',
    role: 'viewer',
    query: z.object({ slug }),
    answer: json(engagement),
  }),
  engaged: operation({
    method: 'GET',
    path: '/timeline/visitors',
    summary: 'Visitors who opened their page or called, the one seen last first',
    role: 'viewer',
    query: z.object({
      filter: z.enum(ENGAGEMENT_FILTERS).optional(),
      limit: pageSize(ENGAGED_LIMIT),
      /** The `next` of the page before. */
      after: z
        .string()
        .max(1100)
        .refine((place) => / ./.test(place) && moment.safeParse(place.slice(0, place.indexOf(' '))).success)
        .optional(),
    }),
    answer: json(engagedPage),
  }),
  export: operation({
    method: 'GET',
    path: '/timeline/export',
    summary: 'All that happened, the oldest first',
    role: 'viewer',
    query: filter,
    answer: lines(timelineEvent),
    audit: 'timeline_exported',
    patienceMs: LONG_PATIENCE_MS,
  }),
  exportCsv: operation({
    method: 'GET',
    path: '/timeline/export.csv',
    summary: 'What happened as CSV, the oldest first',
    role: 'viewer',
    query: filter.extend({ safe: isSafeCsv }),
    answer: file('text/csv; charset=utf-8'),
    audit: 'timeline_exported',
    patienceMs: LONG_PATIENCE_MS,
  }),
}
