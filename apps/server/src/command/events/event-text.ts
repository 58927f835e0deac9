import type { TimelineEvent } from '@heyline/timeline'
import { harmless, shortId, timeText } from '../terminal/terminal-text.js'

/** What a payload says, as `name=value` words. */
export const payloadText = ({ payload }: Pick<TimelineEvent, 'payload'>): string =>
  Object.entries(payload)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}=${Array.isArray(value) ? value.join(',') : String(value)}`)
    .join(' ')

/** An event in the columns of a list. */
export const eventColumns = (event: TimelineEvent): string[] =>
  [
    timeText(event.at),
    shortId(event.id),
    event.type,
    event.slug ?? '-',
    event.callId === null ? '-' : `call ${shortId(event.callId)}`,
    `${event.actor} ${payloadText(event)}`.trimEnd(),
  ].map(harmless)
