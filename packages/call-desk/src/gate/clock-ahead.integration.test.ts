import type { Db } from '@heyline/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deskOf, openDeskDb } from '../testing/desk.js'
import { addressOf, age, ask, clearDesk, endCalls, openGate } from '../testing/gate-desk.js'
import { reserveWeb, webDeskOf } from '../testing/web-desk.js'
import { checkBreaker } from './breaker.js'
import { DEFAULT_GATE } from './gate-settings.js'

/** Calls that were stored by a clock that was hours ahead, and has been put right. */
const AHEAD = '-3 hours'
const two = [{ most: 2, windowMs: 3_600_000 }]

let db: Db
beforeAll(async () => {
  db = await openDeskDb()
})
afterAll(() => db.close())
beforeEach(() => clearDesk(db))

describe('calls of a clock that ran ahead', () => {
  it.each(['numberLimits', 'slugLimits', 'addressLimits', 'networkLimits', 'countryLimits'] as const)(
    'count for no window of %s, which holds after them as before',
    async (limits) => {
      const gate = { ...openGate, [limits]: two }
      const desk = deskOf(db, 'http://127.0.0.1:1', {
        ...{ gate, addressOf, findVisitor: async (slug: string) => ({ slug }) },
      })
      const asked = async () => (await ask(desk, { address: '203.0.113.1' })).status
      for (const ahead of [true, false]) {
        for (let call = 0; call < 2; call += 1) {
          expect(await asked()).toBe(202)
          await endCalls(db)
        }
        if (ahead) await age(db, AHEAD)
      }
      expect(await asked()).toBe(403)
    },
  )

  it('count for no window of browser calls', async () => {
    const desk = webDeskOf(db, { addressLimits: two })
    const begin = () => reserveWeb(desk, { address: '203.0.113.1' })
    for (const ahead of [true, false]) {
      for (let call = 0; call < 2; call += 1) {
        expect(await begin()).toMatchObject({ result: 'reserved' })
        await endCalls(db)
      }
      if (ahead) await age(db, AHEAD)
    }
    expect(await begin()).toMatchObject({ result: 'refused' })
  })

  it('and a resume of such a clock do not keep the breaker from counting', async () => {
    await db.exec(`insert into call_desk.call_requests (phone, slug, body_hash, state, created_at, updated_at)
      select '+1415555' || n, gen_random_uuid()::text, '', 'failed', now(), now() from generate_series(1000, 1005) n`)
    await db.exec("update call_desk.switches set resumed_at = now() + interval '3 hours'")
    expect(await db.transaction((tx) => checkBreaker(tx, DEFAULT_GATE))).toBe('failures')
  })

  it('do not open the breaker later', async () => {
    await db.exec(`insert into call_desk.call_requests (phone, slug, body_hash, state, created_at, updated_at)
      select '+1415555' || n, gen_random_uuid()::text, '', 'failed', t, t from generate_series(1000, 1005) n,
      lateral (select now() + interval '3 hours' as t) ahead`)
    expect(await db.transaction((tx) => checkBreaker(tx, DEFAULT_GATE))).toBeUndefined()
  })
})
