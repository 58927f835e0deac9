import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { code } from '../contract/failure.contract.js'
import type { Db } from '../db/db.js'
import { migrate } from '../migrator/migrate.js'
import { findPostgres, startPostgres } from '../testing/postgres-server.js'
import { openPostgres } from './open-postgres.js'

const silent = pino({ level: 'silent' })
const folder = new URL('../../../../supabase', import.meta.url)
const missing = findPostgres() ? '' : ' (left out: Postgres is not installed here)'

describe.skipIf(missing !== '')(`the login of a real Postgres${missing}`, () => {
  let server: Awaited<ReturnType<typeof startPostgres>>
  let admin: Db
  beforeAll(async () => {
    server = await startPostgres()
    admin = await openPostgres({ url: server.url, logger: silent })
    await admin.exec(
      'create role heyline login noinherit createrole; create role passes login bypassrls noinherit; create role inherits login',
    )
    await admin.query('create database heyline owner heyline')
    // NOINHERIT also keeps the owner's rights in `public` from it, which it has as a member of pg_database_owner.
    const inside = await openPostgres({ url: as('postgres', 'heyline'), logger: silent })
    await inside.exec('alter schema public owner to heyline')
    await inside.close()
  })
  afterAll(async () => {
    await admin.close()
    await server.stop()
  })

  const as = (login: string, database: string): string =>
    server.url.replace('postgres@', `${login}@`).replace('/postgres?', `/${database}?`)

  /** What is said on opening, as JSON lines of level warn or worse. */
  async function warnings(url: string): Promise<string[]> {
    const lines: string[] = []
    const logger = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) })
    const db = await openPostgres({ url, logger })
    await db.close()
    return lines
  }

  it('is warned of when it may do everything', async () => {
    expect((await warnings(server.url)).join()).toContain('logs in as the superuser postgres')
    expect((await warnings(as('passes', 'postgres'))).join()).toContain('alter role passes nobypassrls')
    expect((await warnings(as('inherits', 'postgres'))).join()).toContain('alter role inherits noinherit')
    expect(await warnings(as('heyline', 'heyline'))).toEqual([])
  })

  describe('of its own, NOINHERIT and no superuser', () => {
    let db: Db
    beforeAll(async () => {
      db = await openPostgres({ url: as('heyline', 'heyline'), logger: silent })
      await migrate(db, { folder })
      await admin.exec('create role other')
    })
    afterAll(() => db.close())

    it.each(['anon', 'authenticated', 'service_role'])(
      'can become %s for a transaction, and is itself again after',
      async (role) => {
        const who = async (tx: Pick<Db, 'query'>): Promise<unknown> =>
          (await tx.query<{ name: string }>('select current_user as name')).rows[0]?.name
        expect(
          await db.transaction(async (tx) => {
            await tx.query("select set_config('role', $1, true)", [role])
            return await who(tx)
          }),
        ).toBe(role)
        expect(await who(db)).toBe('heyline')
      },
    )

    it('has none of the rights of those roles while it is itself', async () => {
      await db.exec(`
        create schema fence;
        grant usage on schema fence to service_role;
        create table fence.secret (id int);
        grant select on fence.secret to service_role;
      `)
      // Handed to somebody else, so that the login is no longer the owner.
      const moved = await openPostgres({ url: as('postgres', 'heyline'), logger: silent })
      await moved.exec('alter table fence.secret owner to other; alter schema fence owner to other')
      await moved.close()
      expect(await code(db.query('select from fence.secret'))).toBe('42501')
      await db.transaction(async (tx) => {
        await tx.query('set local role service_role')
        await tx.query('select from fence.secret')
      })
    })

    it('cannot become anybody else', async () => {
      for (const role of ['postgres', 'other', 'pg_read_server_files']) {
        expect(await code(db.transaction((tx) => tx.query(`set local role ${role}`)))).toBe('42501')
      }
      const asAnon = (sql: string): Promise<unknown> =>
        db.transaction(async (tx) => {
          await tx.query('set local role anon')
          await tx.query(sql)
        })
      expect(await code(asAnon('select from supabase_migrations.schema_migrations'))).toBe('42501')
      expect(await code(asAnon("insert into public.visitors (slug, name) values ('x', 'x')"))).toBe('42501')
    })
  })
})
