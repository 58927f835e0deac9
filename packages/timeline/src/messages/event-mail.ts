import { eventWords } from './event-words.js'
import type { ToldEvent } from './told-event.js'

/** A mail as its reader sees it. */
export interface EventMail {
  to: string
  /** One line. */
  subject: string
  text: string
}

/** Longest subject, in characters. */
const SUBJECT_MOST = 150

/** A mail of one event. */
export function eventMail(to: string, event: ToldEvent, page: string): EventMail {
  const words = eventWords(event)
  return { to, subject: shortened(words), text: `${words}.\n\n${timeOf(event.at)}\n${page}\n` }
}

/** What happened since the last digest. */
export interface Digest {
  /** How many events there are in all. */
  count: number
  /** The newest of them, the oldest first. */
  events: readonly ToldEvent[]
}

/** One mail of many events. */
export function digestMail(
  to: string,
  { count, events }: Digest,
  pageOf: (event: ToldEvent) => string,
): EventMail {
  const lines = events.map((event) => `${timeOf(event.at)}  ${eventWords(event)}\n${pageOf(event)}\n`)
  const more = count - events.length
  const before = more > 0 ? [`… and ${more} more before these.\n`] : []
  return {
    to,
    subject: digestTitle(count),
    text: [...before, ...lines].join('\n'),
  }
}

/** What a message of so many events is called. */
export const digestTitle = (count: number): string =>
  `What happened: ${count} ${count === 1 ? 'event' : 'events'}`

/** Like 2026-05-01 12:30 UTC. */
export const timeOf = (at: string): string => `${at.slice(0, 16).replace('T', ' ')} UTC`

const shortened = (text: string): string =>
  text.length > SUBJECT_MOST ? `${text.slice(0, SUBJECT_MOST - 1)}…` : text
