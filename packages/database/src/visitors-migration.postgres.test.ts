import { pino } from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import type { Db } from './db/db.js'
import { migrate } from './migrator/migrate.js'
import { openPostgres } from './postgres/open-postgres.js'
import { findPostgres, startPostgres } from './testing/postgres-server.js'
import { SQL_FOLDER } from './testing/test-directory.js'
import { describeVisitors } from './visitors-migration.contract.js'

const logger = pino({ level: 'silent' })

const missing = findPostgres() ? '' : ' (left out: Postgres is not installed here)'
describe.skipIf(missing !== '')(`a real Postgres${missing}`, () => {
  const servers: Awaited<ReturnType<typeof startPostgres>>[] = []
  afterAll(() => Promise.all(servers.map((server) => server.stop())))
  const start = async (): Promise<string> => {
    const server = await startPostgres()
    servers.push(server)
    return server.url
  }

  const migrated = async (db: Db): Promise<Db> => {
    await migrate(db, { folder: SQL_FOLDER })
    return db
  }

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
  describeVisitors('Postgres, as an owner who is not', () => openAsOwner('createrole').then(migrated))
  describeVisitors('Postgres, as an owner who inherits nothing', () =>
    openAsOwner('noinherit createrole', 'alter schema public owner to owner').then(migrated),
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
        create table auth.users (id uuid primary key);
        grant usage on schema public, extensions, auth to anon, authenticated, service_role;
        alter default privileges for role owner in schema public
          grant all on tables to anon, authenticated, service_role;
        alter default privileges for role owner in schema public
          grant all on functions to anon, authenticated, service_role;
      `,
    )
    expect((await db.query("select from pg_roles where rolname = 'supabase_admin'")).rowCount).toBe(1)
    await migrated(db)
    // Its accounts are its own: nothing of ours stands beside them.
    const { rows } = await db.query(
      "select relname as name from pg_class where relnamespace = 'auth'::regnamespace and relkind = 'r'",
    )
    expect(rows).toEqual([{ name: 'users' }])
    return db
  })

  it('says what an owner lacks who may not make the roles', async () => {
    const db = await openAsOwner('nocreaterole')
    await expect(migrate(db, { folder: SQL_FOLDER })).rejects.toThrow(
      /^shim\.sql failed, and nothing was changed: permission denied .*Give the role that connects CREATEROLE/,
    )
    await db.close()
  })
})
