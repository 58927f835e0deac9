import type { Db } from '@heyline/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDeskDb } from '../testing/desk.js'
import { insertPlaced } from '../testing/followed-calls.js'
import { applyAllNews, applyNews, type CallNews } from './call-news.js'

let db: Db
let id: string

beforeAll(async () => {
  db = await openDeskDb()
})
afterAll(() => db.close())
beforeEach(async () => {
  await db.exec('delete from call_desk.call_requests; delete from call_desk.ledger')
  ;[id = ''] = (await insertPlaced(db, ['call-1'])).values()
})

/** Of 750,000 millionths reserved for three minutes. */
const spent = async () =>
  (await db.query<{ spent: number | null }>('select spent from call_desk.ledger where request_id = $1', [id]))
    .rows[0]?.spent
const after = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000)
const report = (fields: Partial<CallNews>): CallNews => ({
  callId: 'call-1',
  state: 'ended',
  record: 'report',
  endedReason: 'customer-ended-call',
  endedAt: after(90),
  heardAt: after(91),
  ...fields,
})
const answered = { inProgressAt: after(10) }

describe('what was reserved is settled', () => {
  it.each([
    ['at what the platform says', { ...answered, costMicrousd: 71_200 }, 71_200],
    ['at that, also when it is more', { ...answered, costMicrousd: 900_000 }, 900_000],
    ['at the share of the minutes begun, where it says nothing', answered, 500_000],
    [
      'at that, also where it says that a call with words was for nothing',
      { ...answered, costMicrousd: 0 },
      500_000,
    ],
    ['at one minute at least', { ...answered, endedAt: after(10) }, 250_000],
    ['at all of it at most', { ...answered, endedAt: after(1000) }, 750_000],
    ['at nothing where nobody answered', { endedReason: 'customer-did-not-answer' }, 0],
    ['at nothing where the line was busy', { ...answered, endedReason: 'customer-busy' }, 0],
    ['at nothing where it was cancelled', { endedReason: 'manually-canceled' }, 0],
    [
      'at the minutes where it was cancelled later',
      { ...answered, endedReason: 'manually-canceled' },
      500_000,
    ],
    ['at nothing where it never began and the platform says so', { costMicrousd: 0 }, 0],
    ['not at all where nothing is known', {}, null],
  ])('%s', async (_, fields, expected) => {
    await applyNews(db, report(fields), 5000)
    expect(await spent()).toBe(expected)
  })

  it('when the record comes, not before', async () => {
    const ended: CallNews = {
      callId: 'call-1',
      state: 'ended',
      endedReason: 'customer-busy',
      endedAt: after(9),
    }
    await applyNews(db, ended, 5000)
    expect(await spent()).toBeNull()
    await applyNews(db, { callId: 'call-1', isGivenUp: true }, 5000)
    expect(await spent()).toBe(0)
    await applyNews(db, report({ ...answered, costMicrousd: 10 }), 5000)
    expect(await spent()).toBe(10)
  })

  it('only where something was reserved', async () => {
    await db.exec('delete from call_desk.ledger')
    await applyNews(db, report({ ...answered, costMicrousd: 10 }), 5000)
    expect(await spent()).toBeUndefined()
  })
})

describe('the report stands above what was shown when asked', () => {
  const polled = report({
    record: 'polled',
    ...answered,
    endedReason: 'unknown-error',
    summary: 'Asked.',
    costMicrousd: 1,
  })
  const told = report({ inProgressAt: after(11), transcript: 'AI: Hello', costMicrousd: 2 })
  const row = async () =>
    (
      await db.query(
        'select in_progress_at, ended_reason, outcome, transcript, summary, cost_microusd from call_desk.call_requests',
      )
    ).rows[0]

  it.each([
    [polled, told],
    [told, polled],
  ])('in either order, which fills in what it left open', async (...both) => {
    await applyAllNews(db, both, 5000)
    expect(await row()).toEqual({
      in_progress_at: after(11),
      ended_reason: 'customer-ended-call',
      outcome: 'completed',
      transcript: 'AI: Hello',
      summary: 'Asked.',
      cost_microusd: 2,
    })
    expect(await spent()).toBe(2)
  })

  it('also when the call was given up as lost', async () => {
    const lost = {
      callId: 'call-1',
      state: 'ended',
      endedAt: after(900),
      endedReason: 'lost',
      isGivenUp: true,
    } as const
    await applyAllNews(db, [lost, told], 5000)
    expect(await row()).toMatchObject({ ended_reason: 'customer-ended-call', outcome: 'completed' })
  })
})
