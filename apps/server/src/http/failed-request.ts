import { isOutage } from '@heyline/database'
import type { BoundedLog } from '@heyline/kit/bounded-log'
import type { ErrorHandler } from 'hono'

/** When to ask again while the database is away. */
const RETRY_SECONDS = '2'

/** Answers 500 to a request that failed, 503 where the database is away. Who can make requests fail can do so often, so that each kind of failure has few lines. */
export const failedRequest =
  (log: BoundedLog): ErrorHandler =>
  (error, context) => {
    log.error(kindOf(error), { err: error, path: context.req.path }, 'a request failed')
    if (isOutage(error))
      return context.json(
        { code: 'database_away', message: 'The database cannot be used now: try again in a moment' },
        503,
        { 'retry-after': RETRY_SECONDS },
      )
    return context.json({ code: 'internal', message: 'Something failed here; it was logged' }, 500)
  }

/** The class of an error, and its code: there are few of both. */
const kindOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? `${error.name} ${error.code}` : error.name
