import { DatabaseError, type Db } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import type { AnalyticsResult } from '@heyline/platform-client'
import { ApiError } from '../resources/api-error.js'
import { type AnalyticsQuery, MOST_RESULTS, resultNames } from './analytics-query.js'
import { analyticsSql } from './analytics-sql.js'

/** Most lists of values in one answer, each of up to a thousand. */
const MOST_HISTORIES = 100
const WEEK_MS = 7 * 24 * 3_600_000
/** A statement took longer than the database's patience. */
const TOO_LONG = '57014'
/** Postgres does not know the time zone. */
const UNKNOWN_ZONE = '22023'

/** Answers the queries one after another. Rejects with an `ApiError` 400 where an answer would be too long, or take too long. */
export async function askAnalytics(
  db: Db,
  queries: readonly AnalyticsQuery[],
  clock: Pick<Clock, 'now'>,
): Promise<AnalyticsResult[]> {
  const answers: AnalyticsResult[] = []
  let histories = MOST_HISTORIES
  for (const query of queries) {
    const each = query.operations.filter(({ operation }) => operation === 'history').length
    const most = each === 0 ? MOST_RESULTS : Math.min(MOST_RESULTS, Math.floor(histories / each))
    const answered = await answer(db, query, { now: clock.now(), most })
    histories -= each * answered.result.length
    answers.push(answered)
  }
  return answers
}

async function answer(
  db: Db,
  query: AnalyticsQuery,
  { now, most }: { now: number; most: number },
): Promise<AnalyticsResult> {
  const { name, timeRange } = query
  const { step, timezone, end = new Date(now) } = timeRange
  const { start = new Date(end.getTime() - WEEK_MS) } = timeRange
  const { sql, parameters } = analyticsSql(query, { start, end, most })
  const { rows } = await db.query<Record<string, unknown>>(sql, parameters).catch((error: unknown) => {
    throw refusal(name, error)
  })
  if (rows.length > most)
    throw new ApiError(
      400,
      `The query ${name} has more than ${most} results${most < MOST_RESULTS ? ' with a history' : ''}: ask for a longer step or a shorter time.`,
    )
  const names = resultNames(query)
  const histories = new Set(
    names
      .slice(names.length - query.operations.length)
      .filter((_, index) => query.operations[index]?.operation === 'history'),
  )
  const shown = (field: string, value: unknown) => {
    if (value instanceof Date) return value.toISOString()
    return histories.has(field) && Array.isArray(value) ? value.toReversed() : value
  }
  return {
    name,
    timeRange: { ...(step && { step }), start: start.toISOString(), end: end.toISOString(), timezone },
    result: rows.map((row) =>
      Object.fromEntries(names.map((field, index) => [field, shown(field, row[`c${index}`])])),
    ),
  }
}

function refusal(name: string, error: unknown): unknown {
  if (!(error instanceof DatabaseError)) return error
  if (error.code === TOO_LONG)
    return new ApiError(400, `The query ${name} takes too long: ask for a shorter time.`, { cause: error })
  if (error.code === UNKNOWN_ZONE)
    return new ApiError(400, `The query ${name} names a time zone that the database does not know.`, {
      cause: error,
    })
  return error
}
