import { randomUUID } from 'node:crypto'
import { type Logger, pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeDb } from '../contract/db.contract.js'
import { code } from '../contract/failure.contract.js'
import type { Db } from '../db/db.js'
import { buildIndexes } from '../migrator/index-building.js'
import { migrate } from '../migrator/migrate.js'
import { findPgBouncer, startPgBouncer } from '../testing/pgbouncer.js'
import { findPostgres, startPostgres } from '../testing/postgres-server.js'
import { closingWith } from '../testing/test-db.js'
import { SQL_FOLDER } from '../testing/test-directory.js'
import { openPostgres } from './open-postgres.js'

const silent = pino({ level: 'silent' })
const missing =
  findPostgres() && findPgBouncer() ? '' : ' (left out: Postgres or PgBouncer is not installed here)'

describe.skipIf(missing !== '')(`behind a PgBouncer${missing}`, () => {
  let server: Awaited<ReturnType<typeof startPostgres>>
  let bouncer: Awaited<ReturnType<typeof startPgBouncer>>
  let admin: Db
  beforeAll(async () => {
    server = await startPostgres()
    bouncer = await startPgBouncer({ postgres: server.url })
    admin = await openPostgres({ url: server.url, logger: silent })
  })
  afterAll(async () => {
    await admin.close()
    await bouncer.stop()
    await server.stop()
  })

  const newDatabase = async () => {
    const name = `test_${randomUUID().replaceAll('-', '')}`
    await admin.query(`create database ${name}`)
    const url = server.url.replace('/postgres?', `/${name}?`)
    return { url, drop: async () => void (await admin.query(`drop database if exists ${name} with (force)`)) }
  }
  const open = async ({ logger = silent, ...options }: { logger?: Logger; patienceMs?: number } = {}) => {
    const { url, drop } = await newDatabase()
    const db = await openPostgres({ ...options, logger, url: bouncer.through(url), directUrl: url })
    return closingWith(db, drop)
  }

  describeDb('in transaction mode, with a direct URL', open)

  it('nothing of ours stays in its sessions', async () => {
    const { url, drop } = await newDatabase()
    const db = await openPostgres({ url: bouncer.through(url), directUrl: url, logger: silent })
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        db.query('select $1::int, pg_sleep(0.01)', [n], { prepared: true }),
      ),
    )
    await db.transaction((tx) => tx.query('select 1', [], { prepared: true }))
    const off = await db.listen('calls', () => {})
    // As a stranger who shares its sessions finds them.
    const other = await openPostgres({ url: bouncer.through(url), directUrl: url, logger: silent })
    const left = await other.query(
      `select (select count(*) from pg_prepared_statements) as prepared, (select count(*) from pg_listening_channels()) as heard,
         (select reset_val from pg_settings where name = 'statement_timeout') as timeout,
         (select count(*) from pg_locks where locktype = 'advisory') as locks`,
    )
    expect(left.rows).toEqual([{ prepared: 0, heard: 0, timeout: '0', locks: 0 }])
    const states = await admin.query(
      "select distinct application_name as name from pg_stat_activity where application_name like 'heyline%' order by 1",
    )
    expect(states.rows).toContainEqual({ name: 'heyline-listen' })
    await off()
    await Promise.all([db.close(), other.close()])
    await drop()
  })

  it('migrations and indexes go past it', async () => {
    const { url, drop } = await newDatabase()
    const db = await openPostgres({ url: bouncer.through(url), directUrl: url, logger: silent })
    const { applied } = await migrate(db, { folder: SQL_FOLDER })
    expect(applied.length).toBeGreaterThan(10)
    const { rows } = await db.transaction(
      (tx) => tx.query("select current_setting('statement_timeout') as timeout, inet_server_port() as port"),
      { patienceMs: Number.POSITIVE_INFINITY, direct: true },
    )
    expect(rows).toMatchObject([{ timeout: '0' }])
    expect(await buildIndexes(db, SQL_FOLDER, new AbortController().signal)).toEqual({
      built: [],
      isDone: true,
    })
    await db.close()
    await drop()
  })

  /** What is said on opening, as JSON lines of level warn or worse. */
  const warned = async (url: string) => {
    const lines: string[] = []
    const logger = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) })
    return { db: await openPostgres({ url, logger }), lines }
  }

  it('in transaction mode without a direct URL says what to do, and works without notifications', async () => {
    const { url, drop } = await newDatabase()
    const { db, lines } = await warned(bouncer.through(url))
    expect(lines.join()).toContain('set DATABASE_DIRECT_URL')
    await migrate(db, { folder: SQL_FOLDER })
    const listening = await db.listen('calls', () => {})
    await listening()
    expect(await code(db.session?.(async () => {}) ?? Promise.resolve())).toBe('0A000')
    expect((await db.query('select 1 as one', [], { prepared: true })).rows).toEqual([{ one: 1 }])
    await db.close()
    await drop()
  })

  it('in session mode is as good as none', async () => {
    const whole = await startPgBouncer({ postgres: server.url, mode: 'session', sessions: 20 })
    const { url, drop } = await newDatabase()
    const { db, lines } = await warned(whole.through(url))
    expect(lines.join()).not.toContain('DATABASE_DIRECT_URL')
    const heard = new Promise<string>(
      (resolve) => void db.listen('calls', resolve).then(() => db.query("select pg_notify('calls', 'yes')")),
    )
    expect(await heard).toBe('yes')
    await db.close()
    await whole.stop()
    await drop()
  })

  it('a direct URL to another database is refused', async () => {
    const [one, other] = [await newDatabase(), await newDatabase()]
    await expect(
      openPostgres({ url: bouncer.through(one.url), directUrl: other.url, logger: silent }),
    ).rejects.toMatchObject({ setting: 'DATABASE_DIRECT_URL' })
    await expect(
      openPostgres({ url: bouncer.through(one.url), directUrl: bouncer.through(one.url), logger: silent }),
    ).rejects.toMatchObject({ setting: 'DATABASE_DIRECT_URL' })
    await one.drop()
    await other.drop()
  })
})
