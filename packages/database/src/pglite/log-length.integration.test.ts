import { pino } from 'pino'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Db } from '../db/db.js'
import { openTestDb } from '../testing/test-db.js'
import { keepLogShort, shortenLog } from './log-length.js'

let db: Db
beforeAll(async () => {
  db = await openTestDb({ content: 'empty' })
  await db.exec('create table public.filled (words text)')
})
afterAll(() => db.close())

/** Megabytes of the log's files. */
async function logSize(): Promise<number> {
  const { rows } = await db.query<{ mb: number }>(
    'select (sum(size) / 1e6)::float8 as mb from pg_ls_waldir()',
  )
  return rows[0]?.mb ?? 0
}

/** Writes some 40 MB into the log. */
const write = () =>
  db.exec(
    `insert into public.filled select repeat(md5(n::text), 60) from generate_series(1, 20000) n; truncate public.filled`,
  )

it('leaves a short log alone', async () => {
  expect(await shortenLog(db)).toBe(false)
})

it('cuts a long one, whatever is written', async () => {
  let cuts = 0
  for (let round = 0; round < 8; round += 1) {
    await write()
    if (await shortenLog(db)) cuts += 1
  }
  expect(cuts).toBeGreaterThan(1)
  expect(await logSize()).toBeLessThan(160)
  expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

it('looks by itself, until it is ended', async () => {
  while (
    !(
      await db.query<{ long: boolean }>(
        'select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) > 64000000 as long from pg_control_checkpoint()',
      )
    ).rows[0]?.long
  )
    await write()
  const end = keepLogShort(db, pino({ level: 'silent' }))
  await vi.waitFor(async () => expect(await shortenLog(db)).toBe(false), { timeout: 5_000 })
  await end()
  expect(await logSize()).toBeLessThan(200)
})
