import type { OperatorDesk } from '@heyline/call-desk'
import type { HandlersOf } from './handlers.js'
import { Streams } from './streams.js'

export function liveHandlers(desk: OperatorDesk): HandlersOf<'live'> {
  const streams = new Streams(
    'Too many windows follow the calls already: close some of them, or ask again later',
  )
  return { follow: (_, asked) => streams.open(asked, () => desk.live(asked.left)) }
}
