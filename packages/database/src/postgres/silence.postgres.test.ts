import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '../db/db.js'
import { DatabaseLine } from '../testing/database-line.js'
import { findPostgres } from '../testing/postgres-server.js'
import { openTestPostgres } from '../testing/test-postgres.js'
import { PostgresDb } from './postgres-db.js'

const missing = findPostgres() ? '' : ' (left out: Postgres is not installed here)'
/** A statement is cut some five seconds after that. */
const PATIENCE_MS = 200

describe.skipIf(missing !== '')(`connections on which nobody answers any more${missing}`, () => {
  let behind: Db
  let line: DatabaseLine
  let db: Db
  const log: string[] = []
  const logger = pino({}, { write: (text: string) => void log.push(text) })
  const open = () => new PostgresDb({ url: line.url, logger, patienceMs: PATIENCE_MS, closeGraceMs: 100 })
  beforeAll(async () => {
    behind = await openTestPostgres()
    line = await DatabaseLine.open(behind)
    db = open()
  })
  afterAll(async () => {
    await db.close()
    await line.close()
    await behind.close()
  })

  /** Several connections, which then idle. */
  const warm = (of = db) => Promise.all([1, 2, 3].map(() => of.query('select pg_sleep(0.05)')))
  const one = async (urgent = false) =>
    (await db.query<{ one: number }>('select 1 as one', [], { urgent })).rows[0]?.one

  it('are cut when a statement waits too long, with all that idle, and made anew', async () => {
    await warm()
    await one(true)
    const heard: string[] = []
    await db.listen('calls', (payload) => void heard.push(payload))
    const idle = line.connections
    line.deafen()
    await expect(one()).rejects.toMatchObject({ name: 'DatabaseError', code: '57P01' })
    expect([await one(), await one(true)]).toEqual([1, 1])
    expect(log.filter((text) => text.includes('Postgres did not answer'))).toHaveLength(1)
    await expect
      .poll(
        async () => {
          await behind.query("select pg_notify('calls', 'again')")
          return heard
        },
        { timeout: 10_000 },
      )
      .toContain('again')
    expect(idle).toBeGreaterThan(8)
  })

  it('end the transactions on them, of which nobody knows what became', async () => {
    const transaction = db.transaction(async (tx) => {
      await tx.query('select 1')
      line.deafen()
      await tx.query('select 2')
    })
    await expect(transaction).rejects.toMatchObject({ code: '57P01' })
    expect(await one()).toBe(1)
  })

  it('are not those of work that may take long', async () => {
    const slow = db.transaction((tx) => tx.query('select pg_sleep(6.5)'), {
      patienceMs: Number.POSITIVE_INFINITY,
    })
    expect((await slow).rows).toHaveLength(1)
  })

  it('keep nobody from closing', async () => {
    const other = open()
    await warm(other)
    await other.listen('calls', () => {})
    line.deafen()
    await other.close()
  })
})
