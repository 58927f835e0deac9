import { eventWords } from './event-words.js'
import type { ToldEvent } from './told-event.js'

/** https://docs.slack.dev/messaging/formatting-message-text: these three are all that has to be escaped. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** What an incoming webhook of Slack, or of what takes the same, shows to people. */
export const slackBody = (event: ToldEvent, page: string): string =>
  JSON.stringify({ text: `${escaped(eventWords(event))}\n<${escaped(page)}|Open in Heyline>` })
