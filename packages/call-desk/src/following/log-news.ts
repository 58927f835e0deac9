import type { Logger } from 'pino'
import type { NewsResult } from '../queue/call-news.js'

/** Tells the log what news did to a request. */
export function logNews(logger: Logger, { id, state, was, isMisjudged }: NewsResult): void {
  if (isMisjudged)
    logger.error(
      { requestId: id, state, reason: 'not_placed' },
      'a request that was taken for not placed has a call: it is ended',
    )
  else if (state !== was) logger.info({ requestId: id, state }, 'call request')
}
