import type { Db } from '@heyline/database'
import { openTestDb } from '@heyline/database/testing'
import { type Clock, systemClock } from '@heyline/kit/clock'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { askAnalytics } from './analytics.js'
import { queryAnalytics } from './analytics-query.js'

const CALLS = 12_000

let db: Db
beforeAll(async () => {
  db = await openTestDb({ isNew: true })
  await fill(CALLS)
})
afterAll(() => db.close())

/** A busy machine stores as many in one statement. */
const PART = 1_000

/** Calls of two minutes, one a minute. */
async function fill(count: number) {
  const until = new Date()
  for (let from = 1; from <= count; from += PART)
    await fillPart(until, from, Math.min(from + PART - 1, count))
}
const fillPart = (until: Date, from: number, to: number) =>
  db.query(
    `insert into voice_platform.calls (type, status, ended_reason, assistant, owner, overrides, created_at, started_at, ended_at)
     select 'webCall', 'ended', 'customer-ended-call', '{}', gen_random_uuid(),
       jsonb_build_object('variableValues', jsonb_build_object('a', n % 3)), at, at, at + interval '2 minutes'
     from (select n, $1::timestamptz - n * interval '1 minute' as at from generate_series($2::int, $3::int) n) calls`,
    [until, from, to],
  )

/** Time passes as it does, and rests are noted and over at once. */
function restless() {
  const rests: number[] = []
  const clock: Clock = {
    ...systemClock,
    after(ms, run) {
      rests.push(ms)
      return systemClock.after(0, run)
    },
  }
  return { clock, rests }
}
const year = { start: new Date(Date.now() - 365 * 86_400_000).toISOString() }
const asked = (...operations: object[]) => ({
  table: 'call',
  name: 'each',
  operations,
  groupByVariableValue: [{ key: 'a' }],
  timeRange: year,
})
const ask = (queries: object[], clock: Clock = restless().clock) =>
  askAnalytics(db, queryAnalytics.parse({ queries }).queries, clock)

it('says how many calls ran at once, by a variable, where PGlite knows nothing of its tables', async () => {
  const { clock, rests } = restless()
  // Each call compared with each other, it would take longer than the database waits.
  const [answer] = await ask([asked({ operation: 'max', column: 'concurrency' })], clock)
  expect(answer?.result).toEqual([
    { a: '0', maxconcurrency: 2 },
    { a: '1', maxconcurrency: 2 },
    { a: '2', maxconcurrency: 2 },
  ])
  expect(rests).toHaveLength(1)
})

it('refuses on PGlite what would keep everybody waiting', async () => {
  const history = { operation: 'history', column: 'cost' }
  const many = Array.from({ length: 20 }, (_, at) => ({ ...history, alias: `h${at}` }))
  for (let part = 0; part < 4; part++) await fill(5_000)
  await expect(ask([asked({ operation: 'count', column: 'id' })])).rejects.toMatchObject({
    status: 400,
    message:
      'The query each groups more than 30000 calls by a variable, which takes too long on PGlite: ask for a shorter time.',
  })
  await expect(ask([{ ...asked(...many), groupByVariableValue: [] }])).rejects.toMatchObject({
    status: 400,
    message:
      'The query each has 20 operations on more than 30000 calls, which takes too long on PGlite: ask for a shorter time or fewer operations.',
  })
})
