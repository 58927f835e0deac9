import type { LiveFeed } from '@heyline/call-desk'
import type { OfficeChange } from '../live/office-change.js'
import type { HandlersOf } from './handlers.js'
import { Streams } from './streams.js'

export function liveHandlers(feed: LiveFeed<OfficeChange>): HandlersOf<'live'> {
  const streams = new Streams(
    'Too many windows follow the calls already: close some of them, or ask again later',
  )
  return { follow: (_, asked) => streams.open(asked, () => feed.follow(asked.left)) }
}
