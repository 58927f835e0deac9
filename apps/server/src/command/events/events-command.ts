import { eventRow, eventsHeader } from '@heyline/back-office/csv'
import {
  EVENT_LIST_LIMIT,
  EVENT_TYPES,
  type EventFilter,
  type EventType,
  type Timeline,
  type TimelineEvent,
} from '@heyline/timeline'
import type { Json } from '../options/json-option.js'
import { limitOf } from '../options/limit-option.js'
import { timeOf } from '../options/time-option.js'
import { tail } from '../place/tail.js'
import { withTimeline } from '../place/timeline-place.js'
import { CommandError } from '../terminal/command-error.js'
import { writeBeside } from '../terminal/new-file.js'
import { printText } from '../terminal/output.js'
import { openProgress } from '../terminal/progress.js'
import type { CommandContext } from '../terminal/terminal.js'
import { counted, harmless, table, timeText } from '../terminal/terminal-text.js'
import { eventColumns, payloadText } from './event-text.js'

export interface FilterOptions extends Json {
  slug?: string
  type?: string
  since?: string
}

export interface ListOptions extends FilterOptions {
  limit?: string
  before?: string
}

/** How many events are shown at once, where nobody says how many. */
const SHOWN = 50

/** `heyline events list`: the newest first; that there are more is said on standard error. */
export function listEvents(context: CommandContext, options: ListOptions): Promise<void> {
  const { json, limit, before } = options
  if (before !== undefined && !/^\d{1,18}$/.test(before))
    throw new CommandError('usage', `--before is what the list before said, a number, not "${before}"`)
  const query = {
    ...filterOf(options),
    before,
    limit: limit === undefined ? SHOWN : limitOf(limit, EVENT_LIST_LIMIT),
  }
  return withTimeline(context, async (timeline) => {
    const { events, next } = await timeline.list(query)
    const { terminal } = context
    if (json) terminal.log(JSON.stringify(events, null, 2))
    else if (events.length > 0) terminal.log(table(events.map(eventColumns)))
    else terminal.error('heyline: there are no such events')
    if (next !== null) terminal.error(`heyline: there are more: add --before ${next}`)
  })
}

/** `heyline events show`. */
export function showEvent(context: CommandContext, id: string, { json }: Json): Promise<void> {
  return withTimeline(context, async (timeline) => {
    const event = await timeline.show(id)
    context.terminal.log(json ? JSON.stringify(event, null, 2) : pageOf(event))
  })
}

function pageOf(event: TimelineEvent): string {
  const rows: [string, string | null][] = [
    ['id', event.id],
    ['type', event.type],
    ['at', timeText(event.at)],
    ['visitor', event.slug],
    ['actor', event.actor],
    ['call', event.callId],
    ['says', payloadText(event) || null],
  ]
  return table(rows.flatMap(([label, value]) => (value === null ? [] : [[label, harmless(value)]])))
}

/** `heyline events tail`: a line for each event. */
export const tailEvents = (context: CommandContext, options: Json): Promise<void> =>
  tail(context, options, {
    what: 'events',
    unreachable: 'timeline_unreachable',
    reach: withTimeline,
    follow: (timeline, signal) => timeline.follow(signal),
    lineOf: (event) => eventColumns(event).join('  '),
  })

/** `heyline events export [FILE]`: as CSV, or with `--json` one event a line. Without a file to standard output. */
export function exportEvents(
  context: CommandContext,
  file: string | undefined,
  options: FilterOptions,
): Promise<void> {
  const { json = false } = options
  const filter = filterOf(options)
  return withTimeline(context, async (timeline) => {
    let exported = 0
    const count = (part: TimelineEvent[]) => {
      exported += part.length
    }
    if (file === undefined) {
      for await (const text of texts(timeline, filter, json, count))
        await printText(text, context.terminal.out)
      return
    }
    await writeBeside(file, texts(timeline, filter, json, count))
    openProgress(json, context.terminal.err).say(`wrote ${counted(exported, 'event')} to ${file}`)
  })
}

async function* texts(
  timeline: Timeline,
  filter: EventFilter,
  json: boolean,
  count: (part: TimelineEvent[]) => void,
): AsyncGenerator<string> {
  if (!json) yield eventsHeader
  for await (const part of timeline.export(filter)) {
    count(part)
    yield part.map((event) => (json ? `${JSON.stringify(event)}\n` : eventRow(event))).join('')
  }
}

const filterOf = ({ slug, type, since }: FilterOptions): EventFilter => ({
  slug,
  types: type?.split(',').map(typeOf),
  since: timeOf(since, '--since'),
})

function typeOf(text: string): EventType {
  const type = EVENT_TYPES.find((known) => known === text)
  if (type) return type
  throw new CommandError('usage', `--type is one or more of ${EVENT_TYPES.join(', ')}, not "${text}"`)
}
