import { rmSync } from 'node:fs'
import { mkdtemp, readdir, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '../db/db.js'
import { migrate } from '../migrator/migrate.js'
import { openPglite } from '../pglite/open-pglite.js'
import { keptTables } from '../rows/kept-tables.js'
import { openTestDb } from '../testing/test-db.js'
import { SQL_FOLDER } from '../testing/test-directory.js'
import { openTestPostgres } from '../testing/test-postgres.js'
import { appliedVersions } from './applied-versions.js'
import { backupDatabase } from './backup-database.js'
import { restorePglite } from './restore-pglite.js'
import { restorePostgres } from './restore-postgres.js'

const logger = pino({ level: 'silent' })
const secret = 'q3Gm0c9XwZr5tYb7uHk2nLd8sFa4jEv6'
const isKept = (table: string): boolean => !table.startsWith('front_ends.')

let directory: string
const open: Db[] = []
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'heyline-restore-'))
})
afterAll(async () => {
  await Promise.all(open.map((db) => db.close()))
  rmSync(directory, { recursive: true, force: true })
})
const kept = async (opening: Promise<Db>): Promise<Db> => {
  const db = await opening
  open.push(db)
  return db
}

/** Every kind of value that the tables have, rows that lead to each other, and more than fits into one batch. */
async function fillAll(db: Db): Promise<void> {
  await db.exec(`
    insert into public.visitors (slug, name, listed, system, first_message)
    select 'v-' || n, 'Ünï "code" \\ ' || chr(128512) || n, n % 2 = 0, repeat('long', n % 900), E'line\\n\\ttwo' from generate_series(1, 5000) n;
    insert into voice_platform.assistants (settings) select jsonb_build_object('n', n, 'text', null) from generate_series(1, 3) n;
    insert into call_desk.call_requests (phone, slug, body_hash, state, created_at, transcript)
    select '+12025550101', 'v-1', 'x', 'ended', now() - n * interval '1.000001 seconds', 'User: ' || n from generate_series(1, 100) n;
    insert into call_desk.ledger (request_id, at, reserved, spent) select id, created_at, 100000, 40000 from call_desk.call_requests;
    insert into auth.users (id, email, raw_user_meta_data) values ('11111111-1111-4111-8111-111111111111', 'ada@example.com', '{"a": [1, 2.50]}');
    insert into auth.identities (provider_id, user_id, identity_data, provider)
    values ('11111111-1111-4111-8111-111111111111', '11111111-1111-4111-8111-111111111111', '{"email": "Ada@Example.com"}', 'email');
  `)
}

/** Every row of every table that is kept, as text, and where the sequences stand. */
async function contentOf(db: Db): Promise<Record<string, unknown>> {
  const content: Record<string, unknown> = {}
  for (const { name } of await keptTables(db, isKept)) {
    const { rows } = await db.query(
      `select count(*) as count, coalesce(md5(string_agg(t::text, '|' order by t::text collate "C")), '') as hash from ${name} t`,
    )
    content[name] = rows[0]
  }
  const { rows } = await db.query(
    "select schemaname || '.' || sequencename as name, last_value::text as value from pg_sequences order by 1",
  )
  return { ...content, sequences: rows, migrations: await appliedVersions(db) }
}

/** What no restore may leave different: triggers that tell, and keys between tables. */
async function guardsOf(db: Db): Promise<unknown> {
  const { rows } = await db.query(
    `select tgrelid::regclass::text as of, tgname as name, tgenabled::text as state from pg_trigger where not tgisinternal
     union all select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint where contype = 'f'
       and connamespace::regnamespace::text not like 'pg_%'
     order by 1, 2`,
  )
  expect(rows.length).toBeGreaterThan(10)
  return rows
}

const sources: Record<string, () => Promise<Db>> = {
  PGlite: () => openTestDb(),
  Postgres: () => openTestPostgres(),
}

describe.each(Object.keys(sources))('a backup of %s', (from) => {
  let source: Db
  let file: string
  let content: Record<string, unknown>
  beforeAll(async () => {
    source = await kept(sources[from]?.() ?? Promise.reject(new Error('no source')))
    await fillAll(source)
    file = join(directory, `${from}.backup`)
    content = await contentOf(source)
    await backupDatabase(source, {
      file,
      secret,
      madeBy: '0.0.0',
      keys: { A_KEY: 'of the environment' },
      isKept,
    })
  })

  it('is for its owner only, and leaves nothing beside it', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await readdir(directory)).filter((name) => name.includes('partial'))).toEqual([])
  })

  const intoPostgres = (db: Db) => ({
    db,
    file,
    secret,
    folder: SQL_FOLDER,
    isKept,
    logger,
    staging: directory,
    replace: false,
  })

  it('is restored into an empty Postgres', async () => {
    const db = await kept(openTestPostgres({ content: 'empty' }))
    const options = intoPostgres(db)
    expect(await restorePostgres(options)).toMatchObject({ keys: { A_KEY: 'of the environment' } })
    expect(await contentOf(db)).toEqual(content)
    expect(await guardsOf(db)).toEqual(await guardsOf(source))
    // It is a database that a start goes on with, and whose triggers tell again.
    expect(await migrate(db, { folder: SQL_FOLDER })).toMatchObject({
      applied: [],
      seeded: false,
      differing: [],
    })
    await db.query("insert into public.visitors (slug, name) values ('one-more', 'One more')")
    const { rowCount } = await db.query("select from timeline.events where slug = 'one-more'")
    expect(rowCount).toBe(1)
    // No longer empty.
    await expect(restorePostgres(options)).rejects.toMatchObject({ code: 'not_empty' })
    await restorePostgres({ ...options, replace: true })
    expect(await contentOf(db)).toEqual(content)
  })

  it('is restored into an empty PGlite', async () => {
    const into = join(directory, `into-${from}`)
    const options = { directory: into, file, secret, folder: SQL_FOLDER, isKept, logger }
    expect(await restorePglite(options)).toMatchObject({ keys: { A_KEY: 'of the environment' } })
    const db = await kept(openPglite({ directory: into, logger }))
    expect(await contentOf(db)).toEqual(content)
    expect(await guardsOf(db)).toEqual(await guardsOf(source))
  })

  it('leaves the database as it was where it can not be restored', async () => {
    const db = await kept(openTestPostgres({ content: 'empty' }))
    const options = intoPostgres(db)
    const empty = join(directory, 'empty-folder')
    const cases: [string, Partial<typeof options> & { secret?: string | undefined }][] = [
      ['no_secret', { secret: undefined }],
      ['other_secret', { secret: `${secret}x` }],
    ]
    for (const [code, changed] of cases) {
      await expect(restorePostgres({ ...options, ...changed }), code).rejects.toMatchObject({ code })
      await expect(restorePglite({ directory: empty, ...options, ...changed }), code).rejects.toMatchObject({
        code,
      })
    }
    expect(await appliedVersions(db)).toEqual([])
    expect(await readdir(empty).catch(() => [])).toEqual([])
  })
})

describe('a Postgres that is in use', () => {
  it('keeps what it holds while servers are connected, and where its schema is another one', async () => {
    const db = await kept(openTestPostgres())
    const file = join(directory, 'used.backup')
    await backupDatabase(db, { file, madeBy: '0.0.0', isKept })
    const options = { db, file, folder: SQL_FOLDER, isKept, logger, staging: directory, replace: true }
    await db.query(
      "insert into supabase_migrations.schema_migrations (version, name) values ('20990101000000', 'later')",
    )
    await expect(restorePostgres(options)).rejects.toMatchObject({
      code: 'other_schema',
      message: expect.stringContaining('20990101000000'),
    })
    await db.transaction(async (tx) => {
      await tx.query('select 1')
      await expect(restorePostgres(options)).rejects.toMatchObject({ code: 'in_use' })
    })
  })
})
