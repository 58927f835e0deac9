import type { Db } from '@heyline/database'
import { Loop } from '@heyline/kit/loop'
import type { Logger } from 'pino'
import { errorCode } from '../run/error-code.js'
import type { Timings } from '../run/timings.js'
import { sweepWebCalls } from './web-rows.js'

/** How long the platform may take to name a call, and longer than it waits for somebody to join. In milliseconds. */
const UNNAMED_MS = 60_000

/** Closes browser calls that nobody brings further, again and again. */
export function createWebSweep({
  db,
  timings,
  logger,
}: {
  db: Db
  timings: Pick<Timings, 'reconcileMs'>
  logger: Logger
}): Loop {
  return new Loop({
    everyMs: timings.reconcileMs,
    async run() {
      for (const id of await sweepWebCalls(db, UNNAMED_MS))
        logger.warn({ requestId: id, state: 'failed', reason: 'not_begun' }, 'browser call')
    },
    onError: (error) =>
      logger.error(
        { reason: errorCode(error) },
        'browser calls without a platform’s call could not be closed',
      ),
  })
}
