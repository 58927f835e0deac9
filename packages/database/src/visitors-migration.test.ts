import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from './db/db.js'
import { migrate } from './migrator/migrate.js'
import { openPostgres } from './postgres/open-postgres.js'
import { findPostgres, startPostgres } from './testing/postgres-server.js'
import { openTestDb } from './testing/test-db.js'

const folder = new URL('../../../supabase', import.meta.url)
const logger = pino({ level: 'silent' })

/** The table of visitors and its Row Level Security, by SQL alone: the wire above only sets role and headers. */
function describeVisitors(name: string, open: () => Promise<Db>): void {
  describe(`the visitors over ${name}`, () => {
    let db: Db
    beforeAll(async () => {
      db = await open()
      await migrate(db, { folder })
      await db.exec("insert into public.visitors (slug, name) values ('Acme', 'Acme'), ('a%', 'Percent')")
    })
    afterAll(() => db.close())

    const as = <T>(role: string, headers: string | null, sql: string): Promise<T[]> =>
      db.transaction(async (tx) => {
        await tx.query(`set local role ${role}`)
        if (headers !== null) await tx.query("select set_config('request.headers', $1, true)", [headers])
        return (await tx.query<T>(sql)).rows
      })
    const seen = async (role: string, headers: string | null): Promise<string[]> => {
      const rows = await as<{ slug: string }>(
        role,
        headers,
        'select slug from public.visitors order by slug collate "C"',
      )
      return rows.map(({ slug }) => slug)
    }

    it('begin with two that can be called', async () => {
      const { rows } = await db.query<{ slug: string; system: string; first_message: string }>(
        "select * from public.visitors where slug in ('default', 'riverside-dental') order by slug",
      )
      expect(rows).toMatchObject([
        { slug: 'default', name: 'there', listed: true },
        { slug: 'riverside-dental', name: 'Riverside Dental', listed: false },
      ])
      for (const { system, first_message } of rows) {
        expect(system.split('. ').length).toBeGreaterThan(5)
        expect(first_message.length).toBeGreaterThan(10)
      }
    })

    it.each([
      null,
      '',
      'not json',
      '[]',
      '"text"',
      '7',
      '{}',
      '{"x-visitor-slug":null}',
      '{"x-visitor-slug":""}',
      '{"x-visitor-slug":"\\u0000"}',
    ])('show only the listed ones to a request whose headers are %j', async (headers) => {
      expect(await seen('anon', headers)).toEqual(['default'])
      expect(await seen('authenticated', headers)).toEqual(['default'])
    })

    it('show the one that is named, whatever its case, and no more', async () => {
      expect(await seen('anon', '{"x-visitor-slug":"aCME"}')).toEqual(['Acme', 'default'])
      expect(await seen('anon', '{"x-visitor-slug":"a%"}')).toEqual(['a%', 'default'])
      expect(await seen('anon', '{"x-visitor-slug":"%"}')).toEqual(['default'])
      expect(await seen('service_role', null)).toEqual(['Acme', 'a%', 'default', 'riverside-dental'])
    })

    it.each([
      'select slug, name from public.visitors',
      "select * from public.visitors where slug = 'Acme'",
      "select * from public.visitors where slug ilike 'acme'",
    ])('are found without going through all of them: %s', async (sql) => {
      await db.transaction(async (tx) => {
        await tx.query('set local role anon')
        await tx.query('set local enable_seqscan = off') // few rows: what matters is that there is another way
        const { rows } = await tx.query<Record<string, string>>(`explain ${sql}`)
        const plan = rows.flatMap((row) => Object.values(row)).join('\n')
        expect(plan).toContain('visitors_slug')
        expect(plan).not.toContain('Seq Scan')
      })
    })

    it.each(['anon', 'authenticated'])('cannot be changed by %s', async (role) => {
      for (const sql of [
        "insert into public.visitors (slug, name) values ('x', 'x')",
        "update public.visitors set name = 'x'",
        'delete from public.visitors',
        'truncate public.visitors',
        'create table public.x ()',
        'select from supabase_migrations.schema_migrations',
      ]) {
        await expect(as(role, null, sql)).rejects.toMatchObject({ code: '42501' })
      }
    })

    it.each(['', 'a/b', 'a\nb', 'a\u007Fb'])('refuse the slug %j', async (slug) => {
      await expect(
        db.query("insert into public.visitors (slug, name) values ($1, 'x')", [slug]),
      ).rejects.toMatchObject({
        code: '23514',
      })
    })

    it('refuse a slug that differs in case only', async () => {
      await expect(
        db.query("insert into public.visitors (slug, name) values ('aCmE', 'x')"),
      ).rejects.toMatchObject({ code: '23505', constraint: 'visitors_slug' })
    })
  })
}

describeVisitors('PGlite', openTestDb)

const missing = findPostgres() ? '' : ' (left out: Postgres is not installed here)'
describe.skipIf(missing !== '')(`a real Postgres${missing}`, () => {
  const servers: Awaited<ReturnType<typeof startPostgres>>[] = []
  afterAll(() => Promise.all(servers.map((server) => server.stop())))
  const start = async (): Promise<string> => {
    const server = await startPostgres()
    servers.push(server)
    return server.url
  }

  describeVisitors('Postgres, as a superuser', async () => openPostgres({ url: await start(), logger }))

  /** A database whose owner is no superuser, in a cluster of its own, where the roles have still to be made. */
  const openAsOwner = async (rights: string, prepare = '') => {
    const url = await start()
    const admin = await openPostgres({ url, logger })
    await admin.query(`create role owner login ${rights}`)
    await admin.query('create database owned owner owner')
    await admin.close()
    const inside = await openPostgres({ url: url.replace('/postgres?', '/owned?'), logger })
    await inside.exec(prepare)
    await inside.close()
    return openPostgres({ url: url.replace('postgres@', 'owner@').replace('/postgres?', '/owned?'), logger })
  }
  describeVisitors('Postgres, as an owner who is not', () => openAsOwner('createrole'))
  describeVisitors('Postgres, as an owner who inherits nothing', () =>
    openAsOwner('noinherit createrole', 'alter schema public owner to owner'),
  )

  /** As on hosted Supabase: its roles are there, and the one that migrates is neither a superuser nor their maker. */
  describeVisitors('Postgres with the roles of Supabase', async () => {
    const db = await openAsOwner(
      'createrole',
      `
        create role supabase_admin superuser;
        create role anon nologin noinherit;
        create role authenticated nologin noinherit;
        create role service_role nologin noinherit bypassrls;
        create role authenticator login noinherit;
        grant anon, authenticated, service_role to authenticator, owner;
        create schema extensions;
        create schema auth;
        grant usage on schema public, extensions, auth to anon, authenticated, service_role;
        alter default privileges for role owner in schema public
          grant all on tables to anon, authenticated, service_role;
        alter default privileges for role owner in schema public
          grant all on functions to anon, authenticated, service_role;
      `,
    )
    expect((await db.query("select from pg_roles where rolname = 'supabase_admin'")).rowCount).toBe(1)
    return db
  })

  it('says what an owner lacks who may not make the roles', async () => {
    const db = await openAsOwner('nocreaterole')
    await expect(migrate(db, { folder })).rejects.toThrow(
      /^shim\.sql failed, and nothing was changed: permission denied .*Give the role that connects CREATEROLE/,
    )
    await db.close()
  })
})
