import type { BoundedLog } from '@heyline/kit/bounded-log'
import type { ErrorHandler } from 'hono'

/** Answers 500 to a request that failed. Who can make requests fail can do so often, so that each kind of failure has few lines. */
export const failedRequest =
  (log: BoundedLog): ErrorHandler =>
  (error, context) => {
    log.error(kindOf(error), { err: error, path: context.req.path }, 'a request failed')
    return context.json({ code: 'internal', message: 'Something failed here; it was logged' }, 500)
  }

/** The class of an error, and its code: there are few of both. */
const kindOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? `${error.name} ${error.code}` : error.name
