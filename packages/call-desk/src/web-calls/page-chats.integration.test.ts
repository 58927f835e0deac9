import type { Db } from '@heyline/database'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { settleUnreported } from '../following/settle-unreported.js'
import type { WebGateSettings } from '../index.js'
import type { CallFilter } from '../records/call-filter.js'
import { searchCalls } from '../records/search-calls.js'
import { openDeskDb } from '../testing/desk.js'
import { age, clearDesk } from '../testing/gate-desk.js'
import { expectRefusedWeb, reservedWeb, reserveWeb, webDeskOf, webMoney } from '../testing/web-desk.js'

let db: Db
beforeAll(async () => {
  db = await openDeskDb()
})
afterAll(() => db.close())
beforeEach(() => clearDesk(db))

/** Two dollars are looked for before a chat; a turn costs 8 cents. */
const desk = (changes: Partial<WebGateSettings> = {}) =>
  webDeskOf(db, { maxSeconds: 600, minutePrice: 200_000, dayBudget: 100_000_000, ...changes })
const TURN_SECONDS = 24
const person = { address: '203.0.113.1' }

async function begun(open = desk()) {
  const sessionId = crypto.randomUUID()
  await (await reservedWeb(open, person)).started(sessionId, TURN_SECONDS)
  return { sessionId, chats: open.webCalls.chats }
}
const listed = async (filter: CallFilter = {}) => (await searchCalls(db, filter, { limit: 10 })).calls
it('is listed as a chat that has ended when its answer came, and holds no place', async () => {
  const open = desk({ concurrent: 1 })
  const { sessionId, chats } = await begun(open)
  expect(await listed()).toMatchObject([{ kind: 'web', state: 'dialling', costMicrousd: 80_000 }])
  await expectRefusedWeb(db, reserveWeb(open), 'limit_concurrent')
  await chats.answered(sessionId)
  expect(await listed({ kind: 'chat' })).toMatchObject([
    { kind: 'chat', state: 'ended', outcome: 'completed', costMicrousd: 80_000, seconds: null },
  ])
  expect(await listed({ kind: 'web' })).toMatchObject([{ state: 'refused' }, { kind: 'chat' }])
  expect(await reserveWeb(open)).toMatchObject({ result: 'reserved' })
})

it('costs what its turns cost, and is listed with all of them', async () => {
  const { sessionId, chats } = await begun()
  await chats.answered(sessionId)
  for (let turn = 0; turn < 2; turn += 1) expect(await chats.payTurn(sessionId, TURN_SECONDS)).toBe(true)
  expect(await webMoney(db)).toMatchObject([{ spent: 80_000 }, { spent: 80_000 }, { spent: 80_000 }])
  expect(await listed()).toMatchObject([{ kind: 'chat', costMicrousd: 240_000 }])
})

it('that no model has worked for gives its money back, and still counts for its address', async () => {
  const open = desk({ addressLimits: [{ most: 1, windowMs: 60_000 }] })
  const { sessionId, chats } = await begun(open)
  await chats.takenBack(sessionId)
  expect(await webMoney(db)).toEqual([{ reserved: 2_000_000, spent: 0 }])
  expect(await listed()).toMatchObject([{ kind: 'chat', state: 'failed' }])
  await chats.answered(sessionId)
  expect(await listed()).toMatchObject([{ state: 'failed' }])
  await expectRefusedWeb(db, reserveWeb(open, person), 'limit_address')
})

it('is a chat, too, where the answer came after the platform was asked in vain', async () => {
  const { sessionId, chats } = await begun()
  await db.exec(`update call_desk.call_requests set state = 'ended', ended_at = now(), ended_reason = 'not-found',
    outcome = 'other', recorded_at = now(), created_at = created_at - interval '1 minute'`)
  await chats.answered(sessionId)
  expect(await listed()).toMatchObject([{ kind: 'chat', outcome: 'completed', costMicrousd: 80_000 }])
  await age(db, '1 minute')
  await settleUnreported(db)
  expect(await webMoney(db)).toMatchObject([{ spent: 80_000 }])
})
