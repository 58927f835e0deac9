import type { Db } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import { NoTurnError, WaitingLine } from '@heyline/kit/waiting-line'
import type { Hono } from 'hono'
import { askAnalytics } from '../analytics/analytics.js'
import { queryAnalytics } from '../analytics/analytics-query.js'
import { ApiError } from '../resources/api-error.js'
import type { Doorkeeper } from './access.js'
import { parseBody } from './parse-request.js'

export interface AnalyticsRoutes {
  db: Db
  clock: Clock
  doorkeeper: Doorkeeper
}

/** Requests whose queries run at once: calls need the database, too, and PGlite does one thing at a time. */
const AT_ONCE: Record<Db['kind'], number> = { pglite: 1, postgres: 2 }
const LINE = { waiting: 20, longestMs: 10_000 }

export function serveAnalytics(app: Hono, { db, clock, doorkeeper }: AnalyticsRoutes): void {
  const line = new WaitingLine({ ...LINE, atOnce: AT_ONCE[db.kind] })

  app.post('/analytics', async (context) => {
    await doorkeeper.admit(context.req.raw, 'private')
    const { queries } = await parseBody(context.req.raw, queryAnalytics)
    await doorkeeper.takeTurn(context.req.raw)
    const ask = async () => {
      await doorkeeper.checkAfterWait(context.req.raw)
      return await askAnalytics(db, queries, clock)
    }
    const answers = await line.run(ask).catch(refuseCrowd)
    return context.json(answers, 201)
  })
}

function refuseCrowd(error: unknown): never {
  if (!(error instanceof NoTurnError)) throw error
  throw new ApiError(503, 'Too many analytics are asked for. Try again in a moment.', {
    cause: error,
    retryAfterSeconds: 5,
  })
}
