import { ManualClock } from '@heyline/kit/manual-clock'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Db } from '../db/db.js'
import { openTestDb } from '../testing/test-db.js'
import { keepTidy, tidy } from './tidying.js'

const logger = pino({ level: 'silent' })

let db: Db
beforeAll(async () => {
  db = await openTestDb({ content: 'empty' })
  await db.exec('create table public.rows (id int primary key, words text); create table public.few (id int)')
  await tidy(db, { isQuiet: false }) // what Postgres itself wrote when the database was made
})
afterAll(() => db.close())

/** About nine to a page. */
const add = (from: number, count: number) =>
  db.query("insert into public.rows select n, repeat('x', 800) from generate_series($1::int, $2::int) n", [
    from,
    from + count - 1,
  ])

/** Has Postgres count dead rows at once: it does so once a second. */
const count = () => db.query('select pg_stat_force_next_flush()')

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
  expect(await tidy(db, { isQuiet: false })).toEqual(['public.rows'])
  expect(await fetched()).toBe(0)
  await add(2001, 500)
  expect(await tidy(db, { isQuiet: false })).toEqual([])
})

const sizeOf = async (table: string) =>
  (await db.query<{ size: number }>('select pg_total_relation_size($1::regclass)::int as size', [table]))
    .rows[0]?.size ?? 0

it('gives back the room of long texts that were written again and again', async () => {
  await db.exec('create table public.talks (words text); insert into public.talks values (null)')
  // 120 kB that cannot be made smaller, each time.
  const rewrite = async () => {
    for (let time = 0; time < 12; time++)
      await db.exec(
        "update public.talks set words = (select string_agg(md5(random()::text), '') from generate_series(1, 3750))",
      )
  }
  await rewrite()
  expect(await tidy(db, { isQuiet: false })).toEqual(['public.talks'])
  const once = await sizeOf('public.talks')
  for (let round = 0; round < 4; round++) {
    await rewrite()
    await count()
    await tidy(db, { isQuiet: false })
  }
  expect(await sizeOf('public.talks')).toBeLessThan(3 * once)
})

it('gives back the room of what is stored and removed again, in whatever table of whatever schema', async () => {
  await db.exec('create schema "Files"; create table "Files"."Parts" (content bytea)')
  await db.exec('alter table "Files"."Parts" alter content set storage external')
  for (let round = 0; round < 3; round++) {
    await db.exec(
      `insert into "Files"."Parts" select decode(repeat('ab', 500000), 'hex') from generate_series(1, 3)`,
    )
    await db.exec('delete from "Files"."Parts"')
    await count()
    expect(await tidy(db, { isQuiet: false })).toEqual(['"Files"."Parts"'])
  }
  expect(await sizeOf('"Files"."Parts"')).toBeLessThan(100_000)
})

it('tidies what uses its room again, before it grows', async () => {
  await db.exec(`create table public.used (id int primary key, words text);
    insert into public.used select n, repeat('x', 800) from generate_series(1, 5000) n;
    delete from public.used where id <= 2500`)
  expect(await tidy(db, { isQuiet: false })).toEqual(['public.used'])
  const size = await sizeOf('public.used')
  await db.exec('update public.used set id = id + 10000')
  expect(await sizeOf('public.used')).toBeLessThan(1.05 * size)
  await count()
  expect(await tidy(db, { isQuiet: false })).toEqual(['public.used'])
})

it('leaves what takes long for a quiet moment, but not four times as much of dead rows', async () => {
  await db.exec('create table public.large (id int primary key, content bytea)')
  await db.exec('alter table public.large alter content set storage external')
  // 1 MB each, which is 130 pages or more.
  const addLarge = (from: number, count: number) =>
    db.query(
      "insert into public.large select n, decode(repeat('ab', 1000000), 'hex') from generate_series($1::int, $2::int) n",
      [from, from + count - 1],
    )
  const mostPages = 200
  await addLarge(0, 2)
  expect(await tidy(db, { isQuiet: false, mostPages })).toEqual([])
  expect(await tidy(db, { isQuiet: true, mostPages })).toEqual(['public.large'])

  await addLarge(10, 4)
  await db.exec('delete from public.large where id in (10, 11)')
  await count()
  expect(await tidy(db, { isQuiet: false, mostPages })).toEqual([])
  await addLarge(20, 6)
  await db.exec('delete from public.large where id >= 10')
  await count()
  expect(await tidy(db, { isQuiet: false, mostPages })).toEqual(['public.large'])
  expect(await tidy(db, { isQuiet: true, mostPages })).toEqual([])
})

it('looks again and again, until it is ended', async () => {
  const clock = new ManualClock()
  const end = keepTidy({ db, logger, clock })
  await add(3001, 2000)
  clock.advance(10_000)
  await vi.waitFor(async () => expect(await fetched()).toBe(0))
  await end()
  expect(clock.pending).toBe(0)
})

it('waits for a minute after a failure', async () => {
  const clock = new ManualClock()
  const fails: Db = { ...db, kind: 'pglite', query: () => Promise.reject(new Error('It stopped.')) }
  const end = keepTidy({ db: fails, logger, clock })
  clock.advance(10_000)
  await vi.waitFor(() => expect(clock.pending).toBe(1))
  clock.advance(59_000)
  expect(clock.pending).toBe(1)
  await end()
})
