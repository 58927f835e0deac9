import type { Timeline } from '@heyline/timeline'
import { eventsCsv } from '../csv/events-csv.js'
import type { HandlersOf } from './handlers.js'
import { Streams } from './streams.js'

export function timelineHandlers(timeline: Timeline): HandlersOf<'timeline'> {
  const streams = new Streams('Too many follow the timeline already: end some of them, or ask again later')
  return {
    list: (query) => timeline.list(query),
    show: ({ id }) => timeline.show(id),
    follow: (_, asked) => streams.open(asked, () => timeline.follow(asked.left)),
    visitor: ({ slug }) => timeline.visitor(slug),
    engaged: (query) => timeline.engaged(query),
    export: (filter) => timeline.export(filter),
    exportCsv: async ({ safe, ...filter }) => eventsCsv(timeline.export(filter), { safe: safe === 'true' }),
  }
}
