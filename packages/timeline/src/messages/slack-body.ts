import { type Digest, digestTitle, timeOf } from './event-mail.js'
import { eventWords } from './event-words.js'
import type { ToldEvent } from './told-event.js'

/** https://docs.slack.dev/messaging/formatting-message-text: these three are all that has to be escaped. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** What an incoming webhook of Slack, or of what takes the same, shows to people. */
export const slackBody = (event: ToldEvent, page: string): string =>
  JSON.stringify({ text: `${escaped(eventWords(event))}\n<${escaped(page)}|Open in Heyline>` })

/** Longest list of a message, in characters: Slack cuts messages off at 40,000. */
const LIST_MOST = 30_000

/** One message of many events: the newest that it has room for, the oldest of them first. */
export function slackDigestBody({ count, events }: Digest, pageOf: (event: ToldEvent) => string): string {
  const lines: string[] = []
  let left = LIST_MOST
  for (const event of events.toReversed()) {
    const line = `${timeOf(event.at)}  ${escaped(eventWords(event))} <${escaped(pageOf(event))}|Open in Heyline>`
    left -= line.length
    if (left < 0) break
    lines.unshift(line)
  }
  const more = count - lines.length
  const before = more > 0 ? [`… and ${more} more before these.`] : []
  return JSON.stringify({ text: [digestTitle(count), ...before, ...lines].join('\n') })
}
