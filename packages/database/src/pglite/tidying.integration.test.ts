import { ManualClock } from '@heyline/kit/manual-clock'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Db } from '../db/db.js'
import { openTestDb } from '../testing/test-db.js'
import { keepTidy, tidy } from './tidying.js'

const NAMES = ['public.rows', 'public.few', 'public.nowhere']
const logger = pino({ level: 'silent' })

let db: Db
beforeAll(async () => {
  db = await openTestDb({ content: 'empty' })
  await db.exec('create table public.rows (id int primary key, words text); create table public.few (id int)')
})
afterAll(() => db.close())

/** About nine to a page. */
const add = (from: number, count: number) =>
  db.query("insert into public.rows select n, repeat('x', 800) from generate_series($1::int, $2::int) n", [
    from,
    from + count - 1,
  ])

/** How many rows an index alone had no answer for. */
async function fetched(): Promise<number> {
  await db.exec('set enable_seqscan = off; set enable_bitmapscan = off')
  const { rows } = await db.query<{ 'QUERY PLAN': string }>(
    'explain (analyze, costs off, timing off) select count(id) from public.rows where id > 0',
  )
  await db.exec('reset enable_seqscan; reset enable_bitmapscan')
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  return Number(/Heap Fetches: (\d+)/.exec(plan)?.[1])
}

it('tidies tables that have grown, and leaves the others', async () => {
  await add(1, 2000)
  expect(await fetched()).toBe(2000)
  expect(await tidy(db, NAMES)).toEqual(['public.rows'])
  expect(await fetched()).toBe(0)
  await add(2001, 500)
  expect(await tidy(db, NAMES)).toEqual([])
})

it('gives back the room of long texts that were written again and again', async () => {
  await db.exec('create table public.talks (words text); insert into public.talks values (null)')
  // 120 kB that cannot be made smaller, each time.
  const rewrite = async () => {
    for (let time = 0; time < 12; time++)
      await db.exec(
        "update public.talks set words = (select string_agg(md5(random()::text), '') from generate_series(1, 3750))",
      )
  }
  const size = async () =>
    (await db.query<{ size: number }>("select pg_total_relation_size('public.talks')::int as size")).rows[0]
      ?.size ?? 0
  await rewrite()
  expect(await tidy(db, ['public.talks'])).toEqual(['public.talks'])
  const once = await size()
  for (let round = 0; round < 4; round++) {
    await rewrite()
    await tidy(db, ['public.talks'])
  }
  expect(await size()).toBeLessThan(3 * once)
})

it('looks again and again, until it is ended', async () => {
  const clock = new ManualClock()
  const end = keepTidy({ db, tables: NAMES, logger, clock })
  await add(3001, 2000)
  clock.advance(10_000)
  await vi.waitFor(async () => expect(await fetched()).toBe(0))
  await end()
  expect(clock.pending).toBe(0)
})

it('waits for an hour after a failure', async () => {
  const clock = new ManualClock()
  const end = keepTidy({ db, tables: ['no.such.name.here'], logger, clock })
  clock.advance(10_000)
  await vi.waitFor(() => expect(clock.pending).toBe(1))
  clock.advance(3_599_000)
  expect(clock.pending).toBe(1)
  await end()
})
