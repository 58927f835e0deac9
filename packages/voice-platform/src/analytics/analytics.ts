import { DatabaseError, type Db } from '@heyline/database'
import type { Clock } from '@heyline/kit/clock'
import type { AnalyticsResult } from '@heyline/platform-client'
import { ApiError } from '../resources/api-error.js'
import { type AnalyticsQuery, MOST_RESULTS, resultNames } from './analytics-query.js'
import { analyticsSql, isConcurrent } from './analytics-sql.js'

/** Most lists of values in one answer, each of up to a thousand. */
const MOST_HISTORIES = 100
const WEEK_MS = 7 * 24 * 3_600_000
/** A statement took longer than the database's patience. */
const TOO_LONG = '57014'
/** Postgres does not know the time zone. */
const UNKNOWN_ZONE = '22023'

/**
 * Calls times operations of one query on PGlite, where everybody else waits: about two seconds. Nothing can end a statement there but the end of
 * the database.
 */
const MOST_WORK = 600_000
/** The same for calls that are grouped by variables: those lie beside prompts of up to 100 kB, which are unpacked with them. */
const MOST_WITH_VARIABLES = 30_000
/** Where everybody waits, nobody does for longer than that without a rest as long as the query was, in milliseconds at most. */
const LONGEST_REST_MS = 3_000

/** Answers the queries one after another. Rejects with an `ApiError` 400 where an answer would be too long, or take too long. */
export async function askAnalytics(
  db: Db,
  queries: readonly AnalyticsQuery[],
  clock: Clock,
): Promise<AnalyticsResult[]> {
  const answers: AnalyticsResult[] = []
  let histories = MOST_HISTORIES
  for (const query of queries) {
    const each = query.operations.filter(({ operation }) => operation === 'history').length
    const most = each === 0 ? MOST_RESULTS : Math.min(MOST_RESULTS, Math.floor(histories / each))
    const began = clock.monotonic()
    const answered = await answer(db, query, { now: clock.now(), most })
    if (db.kind === 'pglite') await rest(clock, Math.min(clock.monotonic() - began, LONGEST_REST_MS))
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
  if (db.kind === 'pglite') await refuseMuchWork(db, query, { start, end })
  const rows = await rowsOf(db, query, { start, end, most }).catch((error: unknown) => {
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

async function rowsOf(
  db: Db,
  query: AnalyticsQuery,
  bounds: { start: Date; end: Date; most: number },
): Promise<Record<string, unknown>[]> {
  const { sql, parameters } = analyticsSql(query, bounds)
  const hasStatistics = db.kind === 'postgres'
  if (hasStatistics || !isConcurrent(query))
    return (await db.query<Record<string, unknown>>(sql, parameters)).rows
  return await db.transaction(async (tx) => {
    // It would compare each call with each other.
    await tx.query('set local enable_nestloop = off')
    return (await tx.query<Record<string, unknown>>(sql, parameters)).rows
  })
}

async function refuseMuchWork(
  db: Db,
  { name, operations, groupByVariableValue }: AnalyticsQuery,
  { start, end }: { start: Date; end: Date },
): Promise<void> {
  const mostByWork = Math.floor(MOST_WORK / operations.length)
  const isByVariables = groupByVariableValue.length > 0 && mostByWork > MOST_WITH_VARIABLES
  const most = isByVariables ? MOST_WITH_VARIABLES : mostByWork
  const { rows } = await db.query<{ calls: number }>(
    `select count(*)::int as calls from (select from voice_platform.call_figures
       where created_at >= $1::timestamptz and created_at < $2::timestamptz limit $3) counted`,
    [start, end, most + 1],
  )
  if ((rows[0]?.calls ?? 0) <= most) return
  throw new ApiError(
    400,
    isByVariables
      ? `The query ${name} groups more than ${most} calls by a variable, which takes too long on PGlite: ask for a shorter time.`
      : `The query ${name} has ${operations.length} operations on more than ${most} calls, which takes too long on PGlite: ask for a shorter time or fewer operations.`,
  )
}

const rest = (clock: Clock, ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve))

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
