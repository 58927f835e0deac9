import type { Db, Queryable } from '@heyline/database'
import { DATABASES, lockWaits } from '@heyline/database/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deskOf, rowOf } from '../testing/desk.js'
import { ask, clearDesk, openGate } from '../testing/gate-desk.js'
import { GATE_LOCK, pauseCalls, readSwitches } from './switches.js'

/** Where several transactions are at work at a time; PGlite has one. */
const postgres = DATABASES.filter(({ name }) => name === 'Postgres')

describe.each(postgres)('a pause among others on $name', ({ open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db?.close())
  beforeEach(() => clearDesk(db))

  // The first in the table is the last by its id.
  const last = 'ffffffff-0000-4000-8000-000000000000'
  const first = '00000000-0000-4000-8000-000000000000'
  const store = async () => {
    for (const [id, phone] of [
      [last, '+14155550001'],
      [first, '+14155550002'],
    ])
      await db.query(
        "insert into call_desk.call_requests (id, phone, slug, state, body_hash) values ($1, $2, 'acme', 'ringing', '')",
        [id, phone],
      )
  }
  const lock = (tx: Queryable, id: string) =>
    tx.query('select from call_desk.call_requests where id = $1 for update', [id])
  /** Resolves once so many transactions wait for another. */
  const waiting = (count: number) => expect.poll(() => lockWaits(db)).toBe(count)

  it('lets no request be stored that it does not see', async () => {
    await store()
    const desk = deskOf(db, 'http://127.0.0.1:1', { gate: openGate })
    const { paused, asked } = await db.transaction(async (tx) => {
      await lock(tx, first)
      const paused = pauseCalls(db)
      await waiting(1)
      const asked = ask(desk, { phone: '+14155550003' })
      await Promise.race([asked, waiting(2)])
      return { paused, asked }
    })
    expect(await paused).toBe(2)
    expect(await asked).toMatchObject({ status: 403, code: 'call_refused' })
    const { rows } = await db.query(
      "select refusal from call_desk.call_requests where phone = '+14155550003'",
    )
    expect(rows).toEqual([{ refusal: 'paused' }])
  })

  it('takes the calls in the order in which news of them do', async () => {
    await store()
    const paused = await db.transaction(async (tx) => {
      // Whoever waited for longest gives way: then it would be the pause.
      await tx.exec("set local deadlock_timeout to '5 min'")
      await lock(tx, first)
      const paused = pauseOf(db)
      await waiting(1)
      await lock(tx, last)
      return paused.outcome
    })
    expect(await paused()).toEqual({ calls: 2, tries: 2 })
  })

  it('tries again where it and something else wait for each other', async () => {
    await store()
    const paused = await db.transaction(async (tx) => {
      await tx.exec("set local deadlock_timeout to '5 min'")
      await lock(tx, first)
      const paused = pauseOf(db)
      await waiting(1)
      await tx.query(`select ${GATE_LOCK}`)
      return paused.outcome
    })
    expect(await paused()).toEqual({ calls: 2, tries: 3 })
    expect(await rowOf(db, first)).toMatchObject({ hang_up_reason: 'paused' })
  })

  it('stops all dialling at once, whoever holds the gate', async () => {
    await store()
    const paused = await db.transaction(async (tx) => {
      await tx.query(`select ${GATE_LOCK}`)
      const paused = pauseOf(db)
      await waiting(1)
      expect((await readSwitches(db)).pausedAt).not.toBeNull()
      return paused.outcome
    })
    expect(await paused()).toEqual({ calls: 2, tries: 2 })
  })
})

/** A pause, and how many transactions it took. */
function pauseOf(db: Db): { outcome: () => Promise<{ calls: number; tries: number }> } {
  let tries = 0
  const counting: Db = {
    ...db,
    transaction: (run, options) => {
      tries++
      return db.transaction(run, options)
    },
  }
  const paused = pauseCalls(counting)
  paused.catch(() => {})
  return { outcome: async () => ({ calls: await paused, tries }) }
}
