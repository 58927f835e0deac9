import type { Db } from '@heyline/database'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { InboxWorker } from '../following/inbox-worker.js'
import type { CallDesk } from '../index.js'
import { createStopCalling } from '../placing/stop-calling.js'
import { deskOf, hookRequest, openDeskDb, requestCall, rowOf } from '../testing/desk.js'
import { drained, inboxWorkerOf } from '../testing/followed-calls.js'

let db: Db
let desk: CallDesk
let worker: InboxWorker
let id: string

beforeAll(async () => {
  db = await openDeskDb()
  desk = deskOf(db, 'http://127.0.0.1:1')
  worker = inboxWorkerOf(db, { onSaid: createStopCalling({ db, logger: pino({ level: 'silent' }) }) })
  await worker.start()
})
afterAll(async () => {
  await worker.close()
  await db.close()
})
beforeEach(async () => {
  await db.exec('delete from call_desk.call_requests; delete from call_desk.inbox')
  id = await requestCall(desk)
  await placed('call-1')
})

/** What a worker leaves when it has placed the call, or (without an id) while it waits for the answer. */
const placed = (callId: string | null) =>
  db.query(
    `update call_desk.call_requests set state = 'dialling', dialling_at = now(), sent_at = now(), attempts = 1,
       platform_call_id = $1, lease_until = now() + interval '45 seconds'`,
    [callId],
  )

const at = (seconds: number) => Date.UTC(2026, 0, 1) + seconds * 1000
const call = { id: 'call-1' }
const ringing = { type: 'status-update', status: 'ringing', timestamp: at(1), call }
const inProgress = { type: 'status-update', status: 'in-progress', timestamp: at(5), call }
const forwarding = { type: 'status-update', status: 'forwarding', timestamp: at(20), call }
const ended = {
  type: 'status-update',
  status: 'ended',
  timestamp: at(31),
  endedReason: 'unknown-error',
  call,
}
const report = {
  type: 'end-of-call-report',
  timestamp: at(40),
  startedAt: new Date(at(4)).toISOString(),
  endedAt: new Date(at(30)).toISOString(),
  endedReason: 'customer-ended-call',
  cost: 0.0712345,
  artifact: { messages: [], transcript: 'AI: Hello' },
  analysis: { summary: 'They greeted.' },
  call,
}
const transcript = { type: 'transcript', role: 'user', transcript: 'Hello', timestamp: at(6), call }

const send = async (message: object) => {
  const response = await desk.hook(hookRequest(message))
  expect(response.status).toBe(200)
  await drained(db)
}
const row = async () => {
  const { updated_at, check_at, recorded_at, ...rest } = await rowOf(db, id)
  return rest
}

describe('when a call was answered that a carrier bills', () => {
  const answeredAt = new Date(at(3)).toISOString()
  const billed = { ...call, transport: { provider: 'twilio', answeredAt } }

  it.each([
    ['a report', { ...report, call: billed }],
    ['a status', { ...ended, call: billed }],
  ])('is told by %s', async (_, message) => {
    await send(message)
    expect(await row()).toMatchObject({ state: 'ended', answered_at: new Date(at(3)) })
  })

  it('stays unknown where the transport of a call says nothing of it, or nonsense', async () => {
    await send({ ...report, call: { ...call, transport: { provider: 'twilio', answeredAt: 'soon' } } })
    expect(await row()).toMatchObject({ state: 'ended', answered_at: null })
  })
})

describe('messages move the request forward', () => {
  it.each([
    [ringing, { state: 'ringing', ringing_at: new Date(at(1)) }],
    [inProgress, { state: 'in-progress', in_progress_at: new Date(at(5)), ringing_at: null }],
    [forwarding, { state: 'in-progress' }],
    [
      ended,
      {
        state: 'ended',
        ended_at: new Date(at(31)),
        ended_reason: 'unknown-error',
        outcome: 'platform_fault',
        transcript: null,
      },
    ],
    [
      report,
      {
        state: 'ended',
        in_progress_at: new Date(at(4)),
        ended_at: new Date(at(30)),
        ended_reason: 'customer-ended-call',
        outcome: 'completed',
        cost_microusd: 71_235,
        transcript: 'AI: Hello',
        summary: 'They greeted.',
      },
    ],
    [
      { ...ringing, call: { ...call, monitor: { controlUrl: 'https://control.example/1' } } },
      { control_url: 'https://control.example/1' },
    ],
    [
      { ...ringing, call: { ...call, monitor: { controlUrl: 'javascript:alert(1)' } } },
      { state: 'ringing', control_url: null },
    ],
    [
      { ...ringing, status: 'queued' },
      { state: 'dialling', ringing_at: null },
    ],
    [transcript, { state: 'dialling' }],
  ])('%j', async (message, expected) => {
    await send(message)
    expect(await row()).toMatchObject(expected)
  })

  it('to the end, when all but one is lost', async () => {
    await send(ended)
    expect(await row()).toMatchObject({ state: 'ended' })
    await send(ringing)
    expect(await row()).toMatchObject({ state: 'ended' })
  })

  it('before the answer of the platform is stored, by the name that the call was given', async () => {
    await placed(null)
    await send({ ...ringing, call: { id: 'call-9', name: id } })
    expect(await row()).toMatchObject({ state: 'ringing', platform_call_id: 'call-9' })
  })

  it('out of unknown, by its end only', async () => {
    await placed(null)
    await db.exec("update call_desk.call_requests set state = 'unknown', lease_until = null")
    await send({ ...inProgress, call: { id: 'call-9', name: id } })
    expect(await row()).toMatchObject({
      state: 'unknown',
      platform_call_id: 'call-9',
      in_progress_at: new Date(at(5)),
    })
    await send({ ...report, call: { id: 'call-9' } })
    expect(await row()).toMatchObject({ state: 'ended', ended_reason: 'customer-ended-call' })
  })
})

describe('a report in which the person says “stop calling me”', () => {
  const listed = async () => (await db.query('select request_id from call_desk.do_not_call')).rows
  it.each([
    ['turn by turn', { messages: [{ role: 'user', message: 'Stop calling me.' }] }],
    ['in its transcript', { transcript: 'AI: Hello.\nUser: Stop calling me.' }],
    ['in its transcript beside no turns', { messages: [], transcript: 'User: Stop calling me.' }],
  ])('%s has the number listed', async (_, artifact) => {
    await db.exec('delete from call_desk.do_not_call')
    await send({ ...report, artifact })
    expect(await listed()).toEqual([{ request_id: id }])
    expect(await row()).toMatchObject({ state: 'ended', outcome: 'caller_stopped' })
    await db.exec('delete from call_desk.do_not_call')
  })
})

describe('messages that are not for this request', () => {
  it.each([
    { ...ended, call: { id: 'another' } },
    { ...ended, call: { id: 'another', name: 'a name' } },
    { ...ended, call: { id: 'another', name: '00000000-0000-4000-8000-000000000000' } },
    { ...ended, call: undefined },
    { ...ended, call: { id: 7 } },
    { type: 'some.future-type', call },
  ])('change nothing: %j', async (message) => {
    const before = await row()
    await send(message)
    expect(await row()).toEqual(before)
  })

  it('change nothing when it is refused', async () => {
    await db.exec("update call_desk.call_requests set state = 'refused', refusal = 'paused'")
    const before = await row()
    await send(report)
    expect(await row()).toEqual(before)
  })

  it('change nothing when nothing was sent for it', async () => {
    await db.exec(
      "update call_desk.call_requests set state = 'queued', sent_at = null, platform_call_id = null",
    )
    await send({ ...ringing, call: { id: 'call-9', name: id } })
    expect(await row()).toMatchObject({ state: 'queued', platform_call_id: null })
  })
})

describe('what a message says', () => {
  it.each([8.64e15, -1, Date.UTC(9000, 0)])(
    'may be of an odd time (%d): it is taken as now',
    async (timestamp) => {
      await send({ ...ended, timestamp })
      const { ended_at } = await row()
      expect(Math.abs(Number(ended_at) - Date.now())).toBeLessThan(60_000)
    },
  )

  it.each([
    ['with a NUL', 'a\0b'],
    ['without end', Array.from({ length: 9_000 }, () => crypto.randomUUID()).join()],
  ])('changes nothing when it names a call by an id %s', async (_, callId) => {
    await placed(null)
    const before = await row()
    await send({ ...ringing, call: { id: callId, name: id } })
    expect(await row()).toEqual(before)
  })

  it('may have an odd reason: it is left out', async () => {
    await send({ ...ended, endedReason: 'a\0b' })
    expect(await row()).toMatchObject({ state: 'ended', ended_reason: null, outcome: 'other' })
  })

  it('is kept as far as a database can store it', async () => {
    const odd = 'a\0b\ud83d \u{1f600}'
    await send({ ...report, artifact: { transcript: odd }, analysis: { summary: odd } })
    expect(await row()).toMatchObject({ transcript: 'ab \u{1f600}', summary: 'ab \u{1f600}' })
  })

  it('is cut off where it is too long', async () => {
    const summary = '\u{1f600}'.repeat(6000)
    await send({ ...report, artifact: { transcript: 'a'.repeat(1_000_001) }, analysis: { summary } })
    expect(await row()).toMatchObject({
      transcript: 'a'.repeat(1_000_000),
      summary: '\u{1f600}'.repeat(5000),
    })
  })

  it.each([-1, '0.07', Number.MAX_VALUE])('has no cost where it is odd: %j', async (cost) => {
    await send({ ...report, cost })
    expect(await row()).toMatchObject({ state: 'ended', cost_microusd: null })
  })
})
