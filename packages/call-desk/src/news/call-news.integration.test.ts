import type { Db } from '@heyline/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { claimChecks } from '../following/checks.js'
import { settleUnreported } from '../following/settle-unreported.js'
import { claimRequests } from '../queue/claim.js'
import { claimHangUps } from '../queue/hang-up-claims.js'
import { settlePlaced } from '../queue/settle.js'
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
/** The carrier bills it. */
const pickedUp = { answeredAt: after(88) }
/** What the built-in platform says of a call without a conversation. */
const noTalk = { costMicrousd: 0 }
const FAILED = 'call.in-progress.error-providerfault-transport-never-connected'

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

  it.each([
    ['at the price of its minutes', { ...answered, costMicrousd: 3_000 }, 500_000],
    ['at what the platform says, where that is more', { ...answered, costMicrousd: 600_000 }, 600_000],
    ['at nothing where nobody answered', { endedReason: 'customer-did-not-answer' }, 0],
    ['at nothing where no carrier answered', { ...noTalk, endedReason: FAILED }, 0],
    ['at nothing where the line was busy', { ...noTalk, endedReason: 'customer-busy' }, 0],
    [
      'at one minute where a voicemail box answered',
      { ...noTalk, ...pickedUp, endedReason: 'voicemail' },
      250_000,
    ],
    ['at one minute where somebody answered and hung up', { ...noTalk, ...pickedUp }, 250_000],
    [
      'at one minute where what was answered had no sound',
      { ...noTalk, ...pickedUp, endedReason: FAILED },
      250_000,
    ],
    [
      'at one minute where it was called off as it was answered',
      { ...noTalk, ...pickedUp, endedReason: 'manually-canceled' },
      250_000,
    ],
    [
      'at the minutes from the answer, not from the first word',
      { ...answered, answeredAt: after(8), endedAt: after(69), costMicrousd: 0 },
      500_000,
    ],
  ])('%s, where the platform does not know the carrier’s price', async (_, fields, expected) => {
    await applyNews(db, report(fields), 5000, { costsArePart: true })
    expect(await spent()).toBe(expected)
  })

  it('at what the platform says of a call in the browser, which has no carrier', async () => {
    await db.exec("update call_desk.call_requests set kind = 'web', phone = null")
    await applyNews(db, report({ ...answered, costMicrousd: 3_000 }), 5000, { costsArePart: true })
    expect(await spent()).toBe(3_000)
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

describe('what is shown when asked', () => {
  const polled = (fields: Partial<CallNews>) => report({ record: 'polled', ...answered, ...fields })
  const row = async () =>
    (
      await db.query<{ recorded: boolean }>(
        'select recorded_at is not null as recorded from call_desk.call_requests',
      )
    ).rows[0]

  it.each([
    ['no answer', { inProgressAt: undefined, endedReason: 'customer-did-not-answer' }, 0],
    ['a lower cost', { costMicrousd: 71_200 }, 71_200],
  ])('settles nothing by %s, until the report is given up', async (_, fields, expected) => {
    await applyNews(db, polled(fields), 5000)
    expect(await row()).toEqual({ recorded: true })
    expect(await spent()).toBeNull()
    await settleUnreported(db)
    expect(await spent()).toBeNull()
    await db.exec("update call_desk.call_requests set recorded_at = recorded_at - interval '6 minutes'")
    await settleUnreported(db)
    expect(await spent()).toBe(expected)
    await applyNews(db, report({ ...answered, costMicrousd: 90_000 }), 5000)
    expect(await spent()).toBe(90_000)
  })

  it('is no less than the price of the minutes, where the platform does not know the carrier’s', async () => {
    await applyNews(db, polled({ costMicrousd: 3_000 }), 5000, { costsArePart: true })
    await db.exec("update call_desk.call_requests set recorded_at = recorded_at - interval '6 minutes'")
    await settleUnreported(db, { costsArePart: true })
    expect(await spent()).toBe(500_000)
  })

  it('settles at once what is more than was reserved', async () => {
    await applyNews(db, polled({ costMicrousd: 900_000 }), 5000)
    expect(await spent()).toBe(900_000)
  })

  it('changes nothing about what the report has settled', async () => {
    await applyAllNews(db, [report({ ...answered, costMicrousd: 10 }), polled({ costMicrousd: 20 })], 5000)
    expect(await spent()).toBe(10)
    await db.exec("update call_desk.call_requests set recorded_at = recorded_at - interval '6 minutes'")
    await settleUnreported(db)
    expect(await spent()).toBe(10)
  })
})

describe('a request that was taken for not placed', () => {
  beforeEach(() =>
    db.exec(
      `update call_desk.call_requests set state = 'failed', failed_at = now(), last_error = 'not_placed: …', platform_call_id = null;
       update call_desk.ledger set spent = 0`,
    ),
  )
  const row = async () => {
    const fields = 'state, platform_call_id, control_url, hang_up_reason, hang_up_at is not null as hangs'
    return (await db.query(`select ${fields} from call_desk.call_requests`)).rows[0]
  }
  const begun = { callId: 'call-9', state: 'in-progress', controlUrl: 'https://control.example/9' } as const

  it.each(['sent_at', 'null'])(
    'stays failed, has its call ended and its money reserved again (%s)',
    async (sentAt) => {
      await db.exec(`update call_desk.call_requests set sent_at = ${sentAt}`)
      expect(await applyNews(db, { ...begun, requestId: id }, 5000)).toMatchObject({
        was: 'failed',
        isMisjudged: true,
      })
      expect(await row()).toEqual({
        state: 'failed',
        platform_call_id: 'call-9',
        control_url: 'https://control.example/9',
        hang_up_reason: 'not_placed',
        hangs: true,
      })
      expect(await spent()).toBeNull()
      expect(await applyNews(db, begun, 5000)).toMatchObject({ isMisjudged: false })
      expect(
        (await claimHangUps(db, 10, { againMs: 1000, maxSeconds: 60 })).map(({ callId }) => callId),
      ).toEqual(['call-9'])
      await applyNews(db, report({ callId: 'call-9', ...answered, costMicrousd: 700_000 }), 5000)
      expect(await spent()).toBe(700_000)
      expect(await row()).toMatchObject({ state: 'failed' })
    },
  )

  it('is settled at once by a report, and needs no end', async () => {
    const told = report({ callId: 'call-9', requestId: id, ...answered, costMicrousd: 700_000 })
    expect(await applyNews(db, told, 5000)).toMatchObject({ isMisjudged: true })
    expect(await row()).toMatchObject({ state: 'failed', hang_up_reason: 'not_placed', hangs: false })
    expect(await spent()).toBe(700_000)
  })

  it('was none where it ended before it rang', async () => {
    const ended = {
      callId: 'call-9',
      requestId: id,
      state: 'ended',
      endedReason: 'twilio-failed-to-connect-call',
    } as const
    expect(await applyNews(db, ended, 5000)).toMatchObject({ isMisjudged: false })
    expect(await row()).toMatchObject({ state: 'failed', hang_up_reason: null, hangs: false })
  })

  it('is asked about', async () => {
    await applyNews(db, { ...begun, requestId: id }, 5000)
    await db.exec('update call_desk.call_requests set check_at = now()')
    expect(await claimChecks(db, 10, 5000)).toMatchObject([{ id, callId: 'call-9', isOver: false }])
  })

  it('hears of it also by the late answer to the placing', async () => {
    const claim = crypto.randomUUID()
    await db.query('update call_desk.call_requests set claim = $1', [claim])
    const request = { id, claim, phone: '', slug: '', attempts: 1 }
    await settlePlaced(db, request, { callId: 'call-9', controlUrl: undefined }, 5000)
    expect(await applyNews(db, { callId: 'call-9', requestId: id }, 5000)).toMatchObject({
      isMisjudged: true,
    })
    expect(await row()).toMatchObject({ platform_call_id: 'call-9', hangs: true })
  })
})

it('news of a request that waits to be tried again keeps it from being dialled', async () => {
  await db.exec('update call_desk.call_requests set sent_at = null, platform_call_id = null')
  await applyNews(db, { callId: 'call-9', requestId: id }, 5000)
  const rules = { breaker: false, maxSeconds: 60, staleMs: 60_000 }
  const look = { claim: crypto.randomUUID(), limit: 10, leaseMs: 1000 }
  expect(await claimRequests(db, look, rules)).toEqual([])
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
