import type { Db } from '@heyline/database'
import { findPostgres, openTestPostgres } from '@heyline/database/testing'
import { systemClock } from '@heyline/kit/clock'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bringUp } from '../database/bring-up.js'
import { SQL_FOLDER } from '../database/open-db.js'
import { Readiness } from '../drain/readiness.js'
import { Ready } from './ready.js'

const missing = findPostgres() ? '' : ' (left out: Postgres is not installed here)'
const logger = pino({ level: 'silent' })

describe.skipIf(missing !== '')(`a server on a Postgres that takes no writes${missing}`, () => {
  let db: Db
  beforeAll(async () => {
    db = await openTestPostgres()
  })
  afterAll(() => db.close())

  /** Of the database, so that each new session has it; the present ones are ended. */
  const takeWrites = async (does: boolean) => {
    const { rows } = await db.query<{ name: string }>('select current_database() as name')
    const name = rows[0]?.name
    await db.transaction(async (tx) => {
      await tx.exec('set transaction read write')
      await tx.exec(`alter database ${name} set default_transaction_read_only = ${does ? 'off' : 'on'}`)
    })
    const end = 'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()'
    // Its own last: it would end the statement before the others.
    await db.query(`${end} and pid <> pg_backend_pid()`)
    await db.query(end).catch(() => {})
  }

  it('is not ready and says why, and is ready again when it takes writes', async () => {
    let asked = 0
    // Every question is a new one.
    const clock = { ...systemClock, monotonic: () => asked * 60_000 }
    const ready = new Ready({ db, folder: SQL_FOLDER, readiness: new Readiness(), clock })
    const failed = async () => {
      asked += 1
      const checks = await ready.checks()
      return checks.filter(({ ok }) => !ok).map(({ check, reason }) => [check, reason])
    }
    await expect.poll(failed).toEqual([])
    await takeWrites(false)
    await expect
      .poll(failed)
      .toEqual([['writable', expect.stringContaining('default_transaction_read_only is on')]])
    await expect(bringUp(db, logger)).rejects.toThrow(/takes no writes.*default_transaction_read_only/s)
    await takeWrites(true)
    await expect.poll(failed).toEqual([])
    await ready.close()
  })
})
