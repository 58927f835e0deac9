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

/** A chat costs two dollars at most, and may have ten answers. */
const desk = (changes: Partial<WebGateSettings> = {}) =>
  webDeskOf(db, { maxSeconds: 600, minutePrice: 200_000, dayBudget: 100_000_000, ...changes })
const ANSWERS = 10
const person = { address: '203.0.113.1' }

async function begun(open = desk()) {
  const sessionId = crypto.randomUUID()
  await (await reservedWeb(open, person)).started(sessionId)
  return { sessionId, chats: open.webCalls.chats }
}
const listed = async (filter: CallFilter = {}) => (await searchCalls(db, filter, { limit: 10 })).calls
/** So long after the latest answer, the ledger is settled. */
async function wait(time: string) {
  await db.exec(`update call_desk.call_requests set recorded_at = recorded_at - interval '${time}'`)
  await settleUnreported(db)
}

it('is listed as a chat that has ended when its answer came, and holds no place', async () => {
  const open = desk({ concurrent: 1 })
  const { sessionId, chats } = await begun(open)
  expect(await listed()).toMatchObject([{ kind: 'web', state: 'dialling', reservedMicrousd: 2_000_000 }])
  await expectRefusedWeb(db, reserveWeb(open), 'limit_concurrent')
  await chats.answered(sessionId, ANSWERS)
  expect(await listed({ kind: 'chat' })).toMatchObject([
    { kind: 'chat', state: 'ended', outcome: 'completed', costMicrousd: 200_000, seconds: null },
  ])
  expect(await listed({ kind: 'web' })).toMatchObject([{ state: 'refused' }, { kind: 'chat' }])
  expect(await reserveWeb(open)).toMatchObject({ result: 'reserved' })
})

it('keeps all of its money aside while it may go on, and then what it used is spent', async () => {
  const { sessionId, chats } = await begun()
  await chats.answered(sessionId, ANSWERS)
  for (const left of [9, 8]) {
    await wait('3 minutes')
    expect(await chats.goesOn(sessionId, left)).toBe(true)
  }
  expect(await webMoney(db)).toEqual([{ reserved: 2_000_000, spent: null }])
  await wait('6 minutes')
  expect(await webMoney(db)).toEqual([{ reserved: 2_000_000, spent: 600_000 }])
  expect(await chats.goesOn(sessionId, 7)).toBe(false)
})

it('goes on no more shortly before it is settled, nor a chat that nobody knows', async () => {
  const { sessionId, chats } = await begun()
  await chats.answered(sessionId, ANSWERS)
  await wait('270 seconds')
  expect(await chats.goesOn(sessionId, 9)).toBe(false)
  expect(await chats.goesOn(crypto.randomUUID(), 9)).toBe(false)
})

it('never costs more than what was set aside', async () => {
  const { sessionId, chats } = await begun()
  await chats.answered(sessionId, ANSWERS)
  for (let left = 9; left >= 1; left -= 1) expect(await chats.goesOn(sessionId, left)).toBe(true)
  expect(await listed()).toMatchObject([{ costMicrousd: 2_000_000 }])
})

it('counts for its network as if it used all, until it is settled', async () => {
  // A network may have half of the budget: two chats.
  const open = desk({ dayBudget: 8_000_000 })
  for (let chat = 0; chat < 2; chat++) {
    const { sessionId, chats } = await begun(open)
    await chats.answered(sessionId, ANSWERS)
  }
  expect(await reserveWeb(open, person)).toMatchObject({ result: 'refused' })
  await wait('6 minutes')
  expect(await reserveWeb(open, person)).toMatchObject({ result: 'reserved' })
})

it('that no model has worked for gives its money back, and still counts for its address', async () => {
  const open = desk({ addressLimits: [{ most: 1, windowMs: 60_000 }] })
  const { sessionId, chats } = await begun(open)
  await chats.takenBack(sessionId)
  expect(await webMoney(db)).toEqual([{ reserved: 2_000_000, spent: 0 }])
  expect(await listed()).toMatchObject([{ kind: 'chat', state: 'failed' }])
  expect(await chats.goesOn(sessionId, 9)).toBe(false)
  await chats.answered(sessionId, ANSWERS)
  expect(await listed()).toMatchObject([{ state: 'failed' }])
  await expectRefusedWeb(db, reserveWeb(open, person), 'limit_address')
})

it('is a chat, too, where the answer came after the platform was asked in vain', async () => {
  const { sessionId, chats } = await begun()
  await db.exec(`update call_desk.call_requests set state = 'ended', ended_at = now(), ended_reason = 'not-found',
    outcome = 'other', recorded_at = now(), created_at = created_at - interval '1 minute'`)
  await chats.answered(sessionId, ANSWERS)
  expect(await listed()).toMatchObject([{ kind: 'chat', outcome: 'completed', costMicrousd: 200_000 }])
  await age(db, '1 minute')
  await wait('6 minutes')
  expect(await webMoney(db)).toMatchObject([{ spent: 200_000 }])
})
