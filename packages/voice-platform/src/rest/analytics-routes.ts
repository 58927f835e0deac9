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

/** Requests whose queries run at once: calls need the database, too. */
const LINE = { atOnce: 2, waiting: 20, longestMs: 10_000 }

export function serveAnalytics(app: Hono, { db, clock, doorkeeper }: AnalyticsRoutes): void {
  const line = new WaitingLine(LINE)

  app.post('/analytics', async (context) => {
    await doorkeeper.admit(context.req.raw, 'private')
    const { queries } = await parseBody(context.req.raw, queryAnalytics)
    await doorkeeper.takeTurn(context.req.raw)
    const answers = await line.run(() => askAnalytics(db, queries, clock)).catch(refuseCrowd)
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
