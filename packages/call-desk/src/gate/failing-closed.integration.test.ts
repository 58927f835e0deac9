import type { Db, Queryable } from '@heyline/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deskOf, openDeskDb } from '../testing/desk.js'
import { addressOf, ask, clearDesk, openGate } from '../testing/gate-desk.js'

let db: Db
beforeAll(async () => {
  db = await openDeskDb()
})
afterAll(() => db.close())
beforeEach(() => clearDesk(db))

const key = { headers: { 'idempotency-key': 'k-1', 'x-human-check': 'token' } }
const humanCheck = { isToken: () => true, verify: async () => 't-1' }
const breaker = { failures: { most: 5, windowMs: 1000 }, longest: undefined, spendFactor: undefined }

const stored = async () =>
  (
    await db.query(
      `select id::text from call_desk.call_requests union all select request_id::text from call_desk.ledger
       union all select id from call_desk.used_checks`,
    )
  ).rows

/** A database whose transactions break at their nth statement, or after the last; `statements` counts those that were begun. */
function breakingAt(nth: number): { broken: Db; statements: () => number } {
  let statements = 0
  const broken: Db = {
    ...db,
    transaction: (run, options) =>
      db.transaction(async (tx) => {
        const counted: Queryable = {
          exec: (sql) => tx.exec(sql),
          query: async (sql, parameters, own) => {
            if (++statements === nth) throw new Error('the connection is gone')
            return await tx.query(sql, parameters, own)
          },
        }
        const result = await run(counted)
        if (statements + 1 === nth) throw new Error('the connection is gone')
        return result
      }, options),
  }
  return { broken, statements: () => statements }
}

describe('a gate that cannot look or store', () => {
  it('lets nothing pass and stores nothing, whichever statement fails', async () => {
    const desk = (own: Db) =>
      deskOf(own, 'http://127.0.0.1:1', { gate: { ...openGate, breaker }, addressOf, humanCheck })
    const whole = breakingAt(Number.POSITIVE_INFINITY)
    expect(await ask(desk(whole.broken), key)).toMatchObject({ status: 202 })
    const count = whole.statements()
    expect(count).toBeGreaterThan(5)
    await clearDesk(db)
    for (let nth = 1; nth <= count + 1; nth++) {
      expect(await ask(desk(breakingAt(nth).broken), key), `statement ${nth}`).toMatchObject({
        status: 503,
        code: 'unavailable',
      })
      expect(await stored()).toEqual([])
    }
    expect(await ask(desk(db), key)).toMatchObject({ status: 202 })
  })

  it('lets nothing pass where the row of its switches is missing', async () => {
    await db.exec('delete from call_desk.switches')
    const desk = deskOf(db, 'http://127.0.0.1:1', { gate: openGate })
    expect(await ask(desk)).toMatchObject({ status: 503, code: 'unavailable' })
    expect(await stored()).toEqual([])
    await db.exec('insert into call_desk.switches default values')
  })

  it('lets nothing pass while the human check cannot be verified', async () => {
    const desk = deskOf(db, 'http://127.0.0.1:1', {
      gate: openGate,
      humanCheck: { isToken: () => true, verify: () => Promise.reject(new Error('the verifier is down')) },
    })
    expect(await ask(desk, key)).toMatchObject({ status: 503, code: 'unavailable' })
    expect(await stored()).toEqual([])
  })
})
