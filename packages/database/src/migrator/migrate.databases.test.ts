import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Db } from '../db/db.js'
import { DATABASES } from '../testing/databases.js'
import { migrate } from './migrate.js'

const FIRST = '20260101000000_first.sql'
const SECOND = '20260102000000_second.sql'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heyline-migrations-'))
  mkdirSync(join(folder, 'migrations'))
  writeFileSync(join(folder, 'shim.sql'), 'create schema if not exists shimmed;')
  write(FIRST, 'create table first (id int); insert into first values (1);')
  writeFileSync(join(folder, 'seed.sql'), 'insert into first values (100);')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (file: string, sql: string): void => writeFileSync(join(folder, 'migrations', file), sql)

describe.each(DATABASES)('migrate over $name', (database) => {
  const open = (options?: { patienceMs: number }) => database.open({ ...options, content: 'empty' })
  let db: Db
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())
  beforeEach(() =>
    db.exec(
      'drop schema if exists supabase_migrations, shimmed cascade; drop table if exists first, second, third',
    ),
  )

  const ids = async (): Promise<unknown[]> =>
    (await db.query<{ id: number }>('select id from first order by id')).rows.map(({ id }) => id)

  it('applies what is missing in order, and seeds with the very first only', async () => {
    write(SECOND, 'create table second as select id from first')
    const nothing = { hosted: false, applied: [], seeded: false, later: [], newer: [], differing: [] }
    expect(await migrate(db, { folder })).toEqual({ ...nothing, applied: [FIRST, SECOND], seeded: true })
    expect(await migrate(db, { folder: pathToFileURL(folder) })).toEqual(nothing)
    write('20260103000000_third.sql', 'create table third (id int)')
    expect(await migrate(db, { folder })).toMatchObject({
      applied: ['20260103000000_third.sql'],
      seeded: false,
    })
    expect(await ids()).toEqual([1, 100])
  })

  it("keeps the Supabase CLI's books", async () => {
    await migrate(db, { folder })
    const { rows } = await db.query(
      'select version, name, statements from supabase_migrations.schema_migrations',
    )
    expect(rows).toEqual([
      {
        version: '20260101000000',
        name: 'first',
        statements: ['create table first (id int); insert into first values (1);'],
      },
    ])
  })

  it('leaves nothing behind when a later script fails, so that the next run begins afresh', async () => {
    write(SECOND, 'create table second (id int); select 1/0;')
    await expect(migrate(db, { folder })).rejects.toMatchObject({
      name: 'MigrationError',
      code: 'failed',
      message: `${SECOND} failed, and nothing was changed: division by zero`,
      cause: expect.objectContaining({ code: '22012' }),
    })
    expect((await db.query("select from pg_tables where tablename in ('first', 'second')")).rowCount).toBe(0)
    write(SECOND, 'create table second (id int)')
    expect(await migrate(db, { folder })).toMatchObject({ applied: [FIRST, SECOND], seeded: true })
  })

  it('lets several servers start at once', async () => {
    const reports = await Promise.all([1, 2, 3].map(() => migrate(db, { folder })))
    expect(reports.map(({ applied }) => applied.length).sort()).toEqual([0, 0, 1])
    expect(await ids()).toEqual([1, 100])
  })

  it('starts on a database that a newer build has used, says so, and takes nothing back', async () => {
    await migrate(db, { folder })
    await db.exec(
      "insert into supabase_migrations.schema_migrations (version) values ('20991231000000'); drop schema shimmed",
    )
    expect(await migrate(db, { folder })).toMatchObject({ applied: [], newer: ['20991231000000'] })
    expect((await db.query("select from pg_namespace where nspname = 'shimmed'")).rowCount).toBe(0)
  })

  it('refuses a file that was edited after it was applied, and says which and what to do', async () => {
    await migrate(db, { folder })
    write(FIRST, 'create table first (id bigint)')
    await expect(migrate(db, { folder })).rejects.toMatchObject({
      code: 'edited',
      message: expect.stringMatching(
        `^Migration ${FIRST} was edited .*Put the file back as it was released.*version = '20260101000000'`,
      ),
    })
    write(FIRST, 'create table first (id int); insert into first values (1);')
    expect(await migrate(db, { folder })).toMatchObject({ applied: [], differing: [] })
  })

  it('takes the ends of lines of any checkout', async () => {
    write(SECOND, 'create table second (\n  id int\n)')
    await migrate(db, { folder })
    write(SECOND, 'create table second (\r\n  id int\r\n)')
    expect(await migrate(db, { folder })).toMatchObject({ applied: [] })
  })

  it('gives rows of versions before checksums theirs, and tells of those that were edited meanwhile', async () => {
    write(SECOND, 'create table second (id int)')
    await migrate(db, { folder })
    await db.exec('alter table supabase_migrations.schema_migrations drop column checksum')
    write(SECOND, 'create table second (id bigint)')
    expect(await migrate(db, { folder })).toMatchObject({ applied: [], differing: [SECOND] })
    expect(await migrate(db, { folder })).toMatchObject({ differing: [] })
    write(SECOND, 'create table second (id text)')
    await expect(migrate(db, { folder })).rejects.toMatchObject({ code: 'edited' })
  })

  it('leaves older migrations of somebody else alone', async () => {
    await db.exec(
      'create schema supabase_migrations; create table supabase_migrations.schema_migrations (version text primary key)',
    )
    await db.exec("insert into supabase_migrations.schema_migrations values ('20200101000000')")
    expect(await migrate(db, { folder })).toMatchObject({ hosted: false, applied: [FIRST], seeded: false })
  })

  it.each(['first.sql', '2026_first.sql', '20260102000000_First.sql', '20260102000000_.sql'])(
    'refuses the file name %s',
    async (file) => {
      write(file, 'select 1')
      await expect(migrate(db, { folder })).rejects.toMatchObject({
        code: 'bad_name',
        message: expect.stringContaining(file),
      })
    },
  )

  it('takes as long as it takes, for itself and for another server that waits', async () => {
    const impatient = await open({ patienceMs: 750 })
    const slow = 'do $$ begin for n in 1..15 loop perform pg_sleep(0.1); end loop; end $$;'
    write(FIRST, `create table first (id int); insert into first values (1); ${slow}`)
    try {
      await impatient.exec(
        'drop schema if exists supabase_migrations, shimmed cascade; drop table if exists first',
      )
      const reports = await Promise.all([migrate(impatient, { folder }), migrate(impatient, { folder })])
      expect(reports.map(({ applied }) => applied.length).sort()).toEqual([0, 1])
    } finally {
      await impatient.close()
    }
  })

  it('refuses a file for indexes that does more', async () => {
    write(
      SECOND,
      '-- concurrently\ncreate index if not exists first_id on public.first (id); drop table first',
    )
    await expect(migrate(db, { folder })).rejects.toMatchObject({
      code: 'bad_indexes',
      message: expect.stringMatching(`${SECOND}.*: drop table first$`),
    })
  })

  it('refuses two files of one version', async () => {
    write('20260101000000_again.sql', 'select 1')
    await expect(migrate(db, { folder })).rejects.toMatchObject({ code: 'bad_name' })
  })

  it('works without a seed, and with other files beside the migrations', async () => {
    rmSync(join(folder, 'seed.sql'))
    write('README.md', 'not a migration')
    expect(await migrate(db, { folder })).toMatchObject({ applied: [FIRST], seeded: false })
  })

  it('leaves the shim out on Supabase', async () => {
    await db.exec('create role supabase_admin')
    try {
      expect(await migrate(db, { folder })).toMatchObject({ hosted: true })
      expect((await db.query("select from pg_namespace where nspname = 'shimmed'")).rowCount).toBe(0)
    } finally {
      await db.exec('drop role supabase_admin')
    }
  })
})
