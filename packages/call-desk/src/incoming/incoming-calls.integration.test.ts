import { randomUUID } from 'node:crypto'
import type { Db } from '@heyline/database'
import { openTestDb } from '@heyline/database/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { parsePhoneNumber } from '../call/phone-number.js'
import { claimChecks } from '../following/checks.js'
import { DEFAULT_GATE } from '../gate/gate-settings.js'
import { findBusy, insertRequest, type NewRequest } from '../queue/reserve.js'
import { listCalls } from '../records/list-calls.js'
import { DEFAULT_TIMINGS } from '../run/timings.js'
import { createIncomingCalls } from './incoming-calls.js'

const FROM = '+12025550123'
const logger = pino({ level: 'silent' })
let db: Db
beforeAll(async () => {
  db = await openTestDb()
})
afterAll(() => db.close())
beforeEach(async () => {
  await db.exec(
    'delete from timeline.events; delete from call_desk.ledger; delete from call_desk.call_requests; update call_desk.switches set paused_at = null',
  )
})

const gateOf = (changes = {}) =>
  createIncomingCalls({ db, gate: { ...DEFAULT_GATE, ...changes }, timings: { newsMs: 1000 }, logger })
const gate = gateOf
const ask = (from = FROM, made = gate(), proven = true) =>
  made.reserve({ callId: randomUUID(), from, proven })
const end = () =>
  db.exec(`update call_desk.call_requests set state = 'ended', ended_at = now() where state = 'dialling'`)
const reserved = async () =>
  (
    await db.query<{ sum: string }>(
      'select coalesce(sum(coalesce(spent, reserved)), 0)::text as sum from call_desk.ledger',
    )
  ).rows[0]?.sum

it('takes a call, and reserves its money and its row as sent', async () => {
  expect(await ask()).toMatchObject({ admitted: true, maxSeconds: DEFAULT_GATE.maxSeconds })
  const { rows } = await db.query('select * from call_desk.call_requests')
  expect(rows).toMatchObject([
    {
      kind: 'phone',
      inbound: true,
      state: 'dialling',
      phone: FROM,
      slug: '',
      attempts: 1,
      sent_at: expect.any(Date),
    },
  ])
  expect(await reserved()).toBe('750000')
})

it('knows whose page the caller was called from', async () => {
  await db.query(
    `insert into call_desk.call_requests (phone, slug, state, body_hash) values ($1, 'sample-bakery', 'ended', '')`,
    [FROM],
  )
  await ask()
  const { rows } = await db.query('select slug from call_desk.call_requests where inbound')
  expect(rows).toEqual([{ slug: 'sample-bakery' }])
  const { calls } = await listCalls(db, { limit: 10, direction: 'inbound' })
  expect(calls).toMatchObject([{ slug: 'sample-bakery', direction: 'inbound', phone: '…23' }])
  const { rows: told } = await db.query(`select type, payload from timeline.events where payload <> '{}'`)
  expect(told).toEqual([{ type: 'call.requested', payload: { direction: 'inbound' } }])
})

it('takes one call of a number at once, and three in ten minutes', async () => {
  for (const _ of [1, 2, 3]) {
    expect(await ask()).toMatchObject({ admitted: true })
    expect(await ask()).toEqual({ admitted: false })
    await end()
  }
  expect(await ask()).toEqual({ admitted: false })
  expect(await ask('+12025550124')).toMatchObject({ admitted: true })
})

it.each([
  [5, 2],
  [4, 2],
  [1, 0],
])('of %d places takes half at most: %d', async (concurrent, most) => {
  const answers = []
  for (let place = 0; place <= most; place++)
    answers.push((await ask(`+1202555012${place}`, gateOf({ concurrent }))).admitted)
  expect(answers).toEqual([...Array.from({ length: most }, () => true), false])
})

it.each([
  ['while calls are paused', `update call_desk.switches set paused_at = now()`, {}],
  ['where half of the money of the day is less than one', 'select 1', { dayBudget: 1_499_999 }],
])('takes none %s', async (_, sql, changes) => {
  await db.exec(sql)
  expect(await ask(FROM, gateOf(changes))).toEqual({ admitted: false })
  expect((await db.query('select from call_desk.call_requests')).rows).toEqual([])
  expect(await reserved()).toBe('0')
})

it('takes none whose number is no number', async () => {
  expect(await ask('+266696687')).toEqual({ admitted: false })
})

it('gives the money of a call back that could not be stored', async () => {
  const reservation = await ask()
  if (reservation.admitted) await reservation.failed()
  expect(await reserved()).toBe('0')
  expect(await ask()).toMatchObject({ admitted: true })
})

const lastErrors = async () =>
  (
    await db.query<{ state: string; last_error: string }>(
      'select distinct state, last_error from call_desk.call_requests',
    )
  ).rows

it('is asked about only once the platform has surely stored it', async () => {
  const { newsMs, reconcileMs } = DEFAULT_TIMINGS
  await ask()
  const isDue = async (ms: number) => {
    await db.query(`update call_desk.call_requests set check_at = check_at - $1::float8 * interval '1 ms'`, [
      ms,
    ])
    return (await claimChecks(db, 10, newsMs)).length > 0
  }
  // The longest answer of a number's server, beyond the time for news and a look of the reconciler.
  expect(await isDue(newsMs + reconcileMs + 7_500)).toBe(false)
  expect(await isDue(20_000 - newsMs - reconcileMs - 7_500)).toBe(true)
})

it('gives the money back of a call that the platform was found not to have', async () => {
  const reservation = await ask()
  await db.exec(
    `update call_desk.call_requests set state = 'ended', ended_at = now(), ended_reason = 'not-found', outcome = 'unknown'`,
  )
  if (reservation.admitted) await reservation.failed()
  expect(await reserved()).toBe('0')
  expect(await lastErrors()).toEqual([
    { state: 'failed', last_error: 'not_taken: the call could not be stored' },
  ])
})

it.each([
  ['was answered', `in_progress_at = now(), ended_reason = 'not-found'`],
  ['ended as it does', `ended_reason = 'customer-ended-call'`],
])('keeps the money of a call that %s', async (_, sql) => {
  const reservation = await ask()
  await db.exec(`update call_desk.call_requests set state = 'ended', ended_at = now(), ${sql}`)
  if (reservation.admitted) await reservation.failed('unnamed')
  expect(await reserved()).toBe('750000')
})

it('counts calls for which the number’s server named nobody for their number, and not for all', async () => {
  for (let caller = 10; caller < 16; caller++)
    for (const proven of [true, false]) {
      const reservation = await ask(`+12025550${proven ? 1 : 2}${caller}`, gate(), proven)
      expect(reservation).toMatchObject({ admitted: true })
      if (reservation.admitted) await reservation.failed('unnamed')
    }
  expect(await lastErrors()).toEqual([
    { state: 'failed', last_error: 'not_taken: the server of the number has not named who answers' },
  ])
  for (const isLet of [true, true, true, false]) {
    const reservation = await ask()
    expect(reservation.admitted).toBe(isLet)
    if (reservation.admitted) await reservation.failed('unnamed')
  }
})

it('keeps its number from no call of ours before it is answered: anybody makes up what is not confirmed', async () => {
  const number = parsePhoneNumber(FROM)
  if (!number) throw new Error('It is no number.')
  const request: NewRequest = {
    ...{ number, slug: 'acme', client: undefined, idempotencyKey: null, bodyHash: '' },
    check: { result: 'not_asked' },
  }
  const busy = () => db.transaction((tx) => findBusy(tx, request))
  await ask()
  expect(await busy()).toBeUndefined()
  const verdict = { refusal: undefined, flood: false }
  const placed = await db.transaction((tx) => insertRequest(tx, request, verdict, 60))
  expect(placed).toMatchObject({ state: 'queued' })
  await db.exec('delete from call_desk.call_requests where not inbound')
  await db.exec("update call_desk.call_requests set state = 'in-progress', in_progress_at = now()")
  expect(await busy()).toBe('in_flight')
})

it('frees the place, the number and the money at once of a call that ends unconfirmed, and counts it for no limit', async () => {
  for (let calls = 0; calls < 12; calls++) {
    const reservation = await ask()
    expect(reservation).toMatchObject({ admitted: true })
    if (reservation.admitted) await reservation.unconfirmed()
    expect(await reserved()).toBe('0')
  }
  const { rows } = await db.query(
    'select distinct state, ended_reason, check_at is null as done from call_desk.call_requests',
  )
  expect(rows).toEqual([
    {
      state: 'ended',
      ended_reason: 'call.ringing.sip-inbound-caller-hungup-before-call-connect',
      done: true,
    },
  ])
})
