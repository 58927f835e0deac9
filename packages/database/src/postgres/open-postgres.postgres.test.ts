import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '../db/db.js'
import { findPostgres, startPostgres } from '../testing/postgres-server.js'
import { openPostgres } from './open-postgres.js'
import { PostgresDb } from './postgres-db.js'

const logger = pino({ level: 'silent' })
const missing = findPostgres() ? '' : ' (left out: Postgres is not installed here)'

describe.skipIf(missing !== '')(`openPostgres${missing}`, () => {
  let server: Awaited<ReturnType<typeof startPostgres>>
  let db: Db
  let admin: Db
  beforeAll(async () => {
    server = await startPostgres()
    db = await openPostgres({ url: server.url, logger })
    admin = await openPostgres({ url: server.url, logger })
  })
  afterAll(async () => {
    await db.close()
    await admin.close()
    await server.stop()
  })

  const stopOthers = (application: string): Promise<unknown> =>
    admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()',
      [application],
    )

  it('says that nobody answers', async () => {
    await expect(
      openPostgres({ url: 'postgresql://postgres@127.0.0.1:1/postgres', logger }),
    ).rejects.toMatchObject({
      name: 'DatabaseError',
      code: '08006',
      message: expect.stringContaining('ECONNREFUSED'),
    })
  })

  it('keeps statements prepared, however many another database of the process keeps', async () => {
    for (let n = 0; n < 60; n += 1) await admin.query(`select ${n}`, [], { prepared: true })
    const sql = 'select $1::int as kept'
    await db.query(sql, [1], { prepared: true })
    const { rows } = await db.query('select from pg_prepared_statements where statement = $1', [sql])
    expect(rows).toHaveLength(1)
  })

  it('passes on why a login is refused', async () => {
    const url = server.url.replace('/postgres?', '/no_such_database?')
    await expect(openPostgres({ url, logger })).rejects.toMatchObject({ code: '3D000' })
  })

  it('hears notifications of other processes, also after its connection broke', async () => {
    const heard: string[] = []
    let wake = (): void => {}
    const off = await db.listen('calls', (payload) => {
      heard.push(payload)
      wake()
    })
    await admin.query("select pg_notify('calls', 'before')")
    await expect.poll(() => heard).toEqual(['before'])
    await stopOthers('heyline-listen')
    while (!heard.includes('after')) {
      const next = new Promise<void>((resolve) => {
        wake = resolve
      })
      // What is notified before it listens again is lost, so say it until it is heard.
      await admin.query("select pg_notify('calls', 'after')")
      await Promise.race([next, new Promise((resolve) => setTimeout(resolve, 50))])
    }
    await off()
  })

  it('answers what is urgent while every connection is held, on one more', async () => {
    const small = new PostgresDb({ url: server.url, logger, connections: 1 })
    let end = (): void => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const held = small.transaction(async (tx) => {
      await tx.query('select 1')
      await ended
    })
    const waiting = small.query('select 2 as two')
    const one = (n: number) => small.query('select $1::int as one', [n], { urgent: true })
    const answers = await Promise.all([one(1), one(2)])
    expect(answers.map(({ rows }) => rows)).toEqual([[{ one: 1 }], [{ one: 2 }]])
    expect(small.pool()).toMatchObject({ most: 1, open: 1, waiting: 1 })
    end()
    await held
    expect((await waiting).rows).toEqual([{ two: 2 }])
    // As every other connection's: its session is ours.
    const { rows } = await small.query("select current_setting('statement_timeout') as most", [], {
      urgent: true,
    })
    expect(rows).toEqual([{ most: '5s' }])
    await small.close()
  })

  it('reads what was committed before each statement, whatever the default of the login is', async () => {
    await admin.exec(`
      create role careful login superuser;
      alter role careful set default_transaction_isolation to 'repeatable read';
      create table seen (id int);
    `)
    const careful = await openPostgres({ url: server.url.replace('postgres@', 'careful@'), logger })
    const count = async (tx: Pick<Db, 'query'>) => (await tx.query('select from seen')).rowCount
    const counts = await careful.transaction(async (tx) => {
      const before = await count(tx)
      await admin.query('insert into seen values (1)')
      return [before, await count(tx)]
    })
    expect(counts).toEqual([0, 1])
    const alone = await careful.query("select current_setting('transaction_isolation') as level")
    expect(alone.rows).toEqual([{ level: 'read committed' }])
    await careful.close()
  })

  it('forgets channels one after another', async () => {
    const warned: string[] = []
    const warn = (warning: Error) => warned.push(warning.message)
    process.on('warning', warn)
    const offs = await Promise.all(['one', 'two', 'three'].map((channel) => db.listen(channel, () => {})))
    await Promise.all(offs.map((off) => off()))
    // Warnings come a tick later.
    await db.query('select 1')
    process.off('warning', warn)
    expect(warned).toEqual([])
  })

  it('rejects a transaction whose connection is cut, and goes on with another', async () => {
    const transaction = db.transaction(async (tx) => {
      await stopOthers('heyline')
      await tx.query('select 1')
    })
    await expect(transaction).rejects.toMatchObject({ code: '57P01' })
    expect((await db.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  it('has Postgres end a transaction that idles twice as long as it may, however long it may work', async () => {
    const limit = (options?: { patienceMs: number; idleMs?: number }) =>
      db.transaction(async (tx) => {
        const { rows } = await tx.query<{ limit: string }>(
          "select current_setting('idle_in_transaction_session_timeout') as limit",
        )
        return rows[0]?.limit
      }, options)
    const patienceMs = Number.POSITIVE_INFINITY
    expect(await limit({ patienceMs, idleMs: 3_000 })).toBe('6s')
    expect(await limit({ patienceMs })).toBe('0')
    expect(await limit()).toBe('10s')
  })

  it('cuts off a statement that outlasts the grace of close', async () => {
    const other = new PostgresDb({ url: server.url, logger, closeGraceMs: 50 })
    await other.query('select 1')
    const slow = expect(other.query('select pg_sleep(60)')).rejects.toMatchObject({ code: '57P01' })
    await expect
      .poll(
        async () =>
          (await admin.query("select from pg_stat_activity where query = 'select pg_sleep(60)'")).rowCount,
      )
      .toBe(1)
    await other.close()
    await slow
  })
})
