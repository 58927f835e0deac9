import { actorKind, type Timeline, type TimelineEvent } from '@heyline/timeline'
import { type Asked, isViewer } from '../access/asked.js'
import { eventsCsv } from '../csv/events-csv.js'
import type { HandlersOf } from './handlers.js'
import { Streams } from './streams.js'

/** A viewer is not told which operator it was. */
export function timelineHandlers(timeline: Timeline): HandlersOf<'timeline'> {
  const streams = new Streams('Too many follow the timeline already: end some of them, or ask again later')
  return {
    list: async (query, asked) => {
      const page = await timeline.list(query)
      return { ...page, events: page.events.map(shownTo(asked)) }
    },
    show: async ({ id }, asked) => shownTo(asked)(await timeline.show(id)),
    follow: (_, asked) => streams.open(asked, () => partsFor(asked, timeline.follow(asked.left))),
    visitor: ({ slug }) => timeline.visitor(slug),
    engaged: (query) => timeline.engaged(query),
    export: (filter, asked) => partsFor(asked, timeline.export(filter)),
    exportCsv: async ({ safe, ...filter }, asked) =>
      eventsCsv(partsFor(asked, timeline.export(filter)), { safe: safe === 'true' }),
  }
}

const shownTo =
  (asked: Asked) =>
  (event: TimelineEvent): TimelineEvent =>
    isViewer(asked) ? { ...event, actor: actorKind(event.actor) } : event

async function* partsFor(
  asked: Asked,
  parts: AsyncIterable<TimelineEvent[]>,
): AsyncGenerator<TimelineEvent[]> {
  for await (const part of parts) yield part.map(shownTo(asked))
}
