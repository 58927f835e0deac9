import { type LiveFeed, RecordsError } from '@heyline/call-desk'
import type { OfficeChange } from '../live/office-change.js'
import type { HandlersOf } from './handlers.js'

/** Streams of one operator, and of all: each browser window has one. */
const MOST_OF_OPERATOR = 10
const MOST = 500

export function liveHandlers(feed: LiveFeed<OfficeChange>): HandlersOf<'live'> {
  const open = new Map<string, number>()
  let all = 0

  async function* follow(who: string, left: AbortSignal) {
    open.set(who, (open.get(who) ?? 0) + 1)
    all += 1
    try {
      yield* feed.follow(left)
    } finally {
      const rest = (open.get(who) ?? 1) - 1
      if (rest > 0) open.set(who, rest)
      else open.delete(who)
      all -= 1
    }
  }

  return {
    follow: (_, { operator, left }) => {
      const who = operator?.userId ?? 'secret key'
      if ((open.get(who) ?? 0) >= MOST_OF_OPERATOR || all >= MOST)
        throw new RecordsError(
          'too_many_streams',
          'Too many windows follow the calls already: close some of them, or ask again later',
        )
      return follow(who, left)
    },
  }
}
