import type { Db } from '@heyline/database'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type GateSettings, SIMULATED_GATE } from '../index.js'
import { deskOf, openDeskDb } from '../testing/desk.js'
import { addressOf, ask, clearDesk } from '../testing/gate-desk.js'
import { lastRefusal } from '../testing/web-desk.js'

let db: Db
beforeAll(async () => {
  db = await openDeskDb()
})
afterAll(() => db.close())
beforeEach(() => clearDesk(db))

const desk = (changes: Partial<GateSettings>) =>
  deskOf(db, 'http://127.0.0.1:1', { gate: { ...SIMULATED_GATE, ...changes }, addressOf })
const phone = (place: number) => ({ phone: `+1415${200 + place}2671`, address: '203.0.113.1' })

it('simulated calls cost nothing where the engines are offline', async () => {
  const free = desk({ dayBudget: 1 })
  for (let place = 0; place < 10; place++)
    expect(await ask(free, phone(place))).toMatchObject({ status: 202 })
  expect((await db.query('select from call_desk.ledger')).rowCount).toBe(0)
})

it('simulated calls keep to the budget where an engine costs money, to whatever country', async () => {
  const priced = desk({ simulatedPrice: 200_000, dayBudget: 1_200_000 })
  expect(await ask(priced, { phone: '+442079460958' })).toMatchObject({ status: 202 })
  expect(await ask(priced, phone(1))).toMatchObject({ status: 202 })
  expect(await ask(priced, phone(2))).toMatchObject({ status: 403, code: 'call_refused' })
  expect(await lastRefusal(db)).toBe('budget_exhausted')
})

it('a spent budget stores a bounded number of refused attempts', async () => {
  await db.exec(`insert into call_desk.call_requests (phone, slug, body_hash, state, refusal, address)
    select '+14155552671', 'acme', '', 'refused', 'budget_exhausted', '203.0.113.1' from generate_series(1, 100)`)
  const priced = desk({ simulatedPrice: 200_000, dayBudget: 1 })
  expect(await ask(priced, phone(1))).toMatchObject({ status: 403 })
  expect((await db.query('select from call_desk.call_requests')).rowCount).toBe(100)
})
