import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '../db/db.js'
import { DATABASES } from '../testing/databases.js'
import { buildIndexes, keepIndexesBuilt } from './index-building.js'
import { migrate } from './migrate.js'

const INDEXES = '20260102000000_indexes.sql'
const NEXT = '20260103000000_next.sql'
const logger = pino({ level: 'silent' })
const never = new AbortController().signal

describe.each(DATABASES.filter(({ kind }) => kind === 'postgres'))('indexes on $name', (database) => {
  let folder: string
  let db: Db
  beforeAll(async () => {
    db = await database.open({ content: 'empty' })
  })
  afterAll(() => db.close())
  beforeEach(async () => {
    await db.exec('drop schema if exists supabase_migrations cascade; drop table if exists calls, later')
    folder = mkdtempSync(join(tmpdir(), 'heyline-indexes-'))
    mkdirSync(join(folder, 'migrations'))
    writeFileSync(join(folder, 'shim.sql'), 'select 1')
    write('20260101000000_calls.sql', 'create table calls (id int, number text)')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const write = (file: string, sql: string): void => writeFileSync(join(folder, 'migrations', file), sql)
  const writeIndexes = (): void =>
    write(
      INDEXES,
      "-- concurrently\n-- Who called; for calls back.\ncreate index if not exists calls_number\n  on public.calls (number) where number <> ';';\n" +
        'drop index if exists public.calls_id;\n',
    )
  const indexes = async (): Promise<unknown> =>
    (
      await db.query(
        `select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
         where i.indrelid = 'calls'::regclass order by 1`,
      )
    ).rows
  const VALID = [{ name: 'calls_number', valid: true }]

  /** A transaction that has written, for which the building of an index waits. */
  const openTransaction = async () => {
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    let over: Promise<unknown> = Promise.resolve()
    await new Promise<void>((begun) => {
      over = db.transaction(async (tx) => {
        await tx.query('insert into calls values (1)')
        begun()
        await ended
      })
    })
    return async () => {
      end()
      await over
    }
  }
  const isBuilding = () =>
    expect.poll(async () => (await db.query('select from pg_stat_progress_create_index')).rowCount).toBe(1)

  it('are made with the rest on a new database', async () => {
    writeIndexes()
    expect(await migrate(db, { folder })).toMatchObject({
      later: [],
      applied: expect.arrayContaining([INDEXES]),
    })
    expect(await indexes()).toEqual(VALID)
  })

  it('are built after the start on one that was used, while others read and write', async () => {
    await migrate(db, { folder })
    await db.exec('create index calls_id on calls (id)')
    writeIndexes()
    write(NEXT, 'create table later (id int)')
    const end = await openTransaction()
    expect(await migrate(db, { folder })).toMatchObject({ applied: [NEXT], later: [INDEXES] })
    const stop = keepIndexesBuilt({ db, folder, logger, everyMs: 100 })
    await isBuilding()
    await db.query("insert into calls values (2, '+1')")
    // Another process, a moment later: it starts, builds nothing, and waits for nothing.
    expect(await migrate(db, { folder })).toMatchObject({ applied: [], later: [INDEXES] })
    expect(await buildIndexes(db, folder, never)).toEqual({ built: [], isDone: false })
    await end()
    await expect.poll(indexes).toEqual(VALID)
    await expect.poll(async () => (await migrate(db, { folder })).later).toEqual([])
    await stop()
  })

  it('are built afresh where a broken run has left an invalid one', async () => {
    await migrate(db, { folder })
    writeIndexes()
    const end = await openTransaction()
    const stop = keepIndexesBuilt({ db, folder, logger })
    await isBuilding()
    await stop()
    expect(await indexes()).toEqual([{ name: 'calls_number', valid: false }])
    await end()
    expect(await migrate(db, { folder })).toMatchObject({ later: [INDEXES] })
    expect(await buildIndexes(db, folder, never)).toEqual({ built: [INDEXES], isDone: true })
    expect(await indexes()).toEqual(VALID)
  })

  it('waits for a table in short turns, so that nobody behind it waits for long', async () => {
    await migrate(db, { folder })
    write(NEXT, 'alter table calls add column note text')
    const end = await openTransaction()
    const migrated = migrate(db, { folder })
    const waiting = "select from pg_locks where relation = 'calls'::regclass and not granted"
    await expect.poll(async () => (await db.query(waiting)).rowCount).toBe(1)
    // Behind it, and yet before the transaction that it waits for ends.
    await db.query("insert into calls values (3, '+1')")
    await end()
    expect(await migrated).toMatchObject({ applied: [NEXT] })
  })
})
