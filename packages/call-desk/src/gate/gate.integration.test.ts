import type { Db } from '@heyline/database'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deskOf, openDeskDb } from '../testing/desk.js'
import { type Ask, addressOf, age, ask, clearDesk, endCalls, openGate } from '../testing/gate-desk.js'
import { addNumbers } from './do-not-call.js'
import type { GateSettings } from './gate-settings.js'
import { pauseCalls, resumeCalls, tripBreaker } from './switches.js'

/** Nobody listens there: nothing is placed here. */
const nowhere = 'http://127.0.0.1:1'
const hour = 3_600_000
const phone = '+14155552671'

let db: Db
beforeAll(async () => {
  db = await openDeskDb()
})
afterAll(() => db.close())
beforeEach(() => clearDesk(db))

const gated = (changes: Partial<GateSettings> = {}, options = {}) =>
  deskOf(db, nowhere, { gate: { ...openGate, ...changes }, addressOf, ...options })
const rows = async () =>
  (await db.query('select * from call_desk.call_requests order by created_at, refusal nulls first')).rows
const refusals = async () => (await rows()).map(({ refusal }) => refusal)
const passes = async (desk: ReturnType<typeof gated>, asked: Ask) => (await ask(desk, asked)).status === 202
const refused = {
  status: 403,
  code: 'call_refused',
  message: expect.any(String),
}

describe('a refused request', () => {
  it.each<[code: string, changes: Partial<GateSettings>, asked: Ask]>([
    ['country_not_allowed', {}, { phone: '+447400123456' }],
    ['premium_blocked', {}, { phone: '+19002345678' }],
    ['type_not_allowed', {}, { phone: '+18002345678' }],
    ['prefix_blocked', {}, { phone: '+12129761234' }],
    ['prefix_blocked', {}, { phone: '+14155550000' }],
    ['quiet_hours', { hours: { from: 0, to: 0 } }, {}],
    ['limit_number', { numberLimits: [{ most: 0, windowMs: hour }] }, {}],
    ['limit_slug', { slugLimits: [{ most: 0, windowMs: hour }] }, {}],
    ['limit_slug', { slugConcurrent: 0 }, {}],
    ['limit_address', { addressLimits: [{ most: 0, windowMs: hour }] }, {}],
    ['limit_network', { networkLimits: [{ most: 0, windowMs: hour }] }, {}],
    ['limit_prefix', { prefixLimits: [{ most: 0, windowMs: hour }] }, {}],
    ['limit_country', { countryLimits: [{ most: 0, windowMs: hour }] }, {}],
    ['limit_starts', { startLimits: [{ most: 0, windowMs: hour }] }, {}],
    ['limit_concurrent', { concurrent: 0 }, {}],
    ['budget_exhausted', { dayBudget: 0 }, {}],
    ['budget_exhausted', { monthBudget: 749_999 }, {}],
  ])('has its reason in the record and nowhere else: %s %j', async (refusal, changes, asked) => {
    const lines: string[] = []
    const logger = pino({}, { write: (line: string) => lines.push(line) })
    const desk = gated(changes, { logger, ownNumbers: async () => ['+14155550000'] })
    expect(await ask(desk, { address: '203.0.113.1', ...asked })).toEqual(refused)
    const [row] = await rows()
    expect(row).toMatchObject({ state: 'refused', refusal, refused_at: row?.created_at })
    const [line = ''] = lines
    expect(JSON.parse(line)).toMatchObject({ requestId: row?.id, refusal })
    expect(lines.join()).not.toContain(asked.phone ?? phone)
    expect((await db.query('select from call_desk.ledger')).rows).toEqual([])
  })

  it('on the do-not-call list is one in any spelling', async () => {
    await addNumbers(db, [phone], 'command')
    expect(await ask(gated(), { phone: '+1 (415) 555-2671' })).toEqual(refused)
    expect(await refusals()).toEqual(['dnc'])
  })

  it('is told from no other by its answer', async () => {
    const desk = gated({ slugLimits: [{ most: 0, windowMs: hour }] })
    expect(await ask(desk, {})).toEqual(await ask(desk, { phone: '+447400123456' }))
  })

  it('is refused again under the same key, and once only', async () => {
    const headers = { 'idempotency-key': 'k-1' }
    expect(await ask(gated({ concurrent: 0 }), { headers })).toEqual(refused)
    expect(await ask(gated(), { headers })).toEqual(refused)
    expect(await ask(gated(), { headers, phone: '+14155552672' })).toMatchObject({ status: 422 })
    expect(await rows()).toHaveLength(1)
  })
})

describe('a request that passes', () => {
  it('is stored with what later ones are counted by, and its worst case reserved', async () => {
    const { id } = await ask(gated({ maxSeconds: 121 }), { address: '203.0.113.77' })
    expect(await rows()).toMatchObject([
      {
        id,
        state: 'queued',
        refusal: null,
        country: 'US',
        prefix: '+1415555',
        address: '203.0.113.77',
        network: '203.0.113.0/24',
        max_seconds: 121,
      },
    ])
    const ledger = (await db.query('select request_id, reserved, spent from call_desk.ledger')).rows
    expect(ledger).toEqual([{ request_id: id, reserved: 750_000, spent: null }])
  })

  it('may ring within its hours', async () => {
    expect(await passes(gated({ hours: { from: 0, to: 24 } }), {})).toBe(true)
  })
})

describe('an earlier request of unknown fate', () => {
  it.each([
    ['full', openGate],
    ['simulated', { ...openGate, mode: 'simulated' as const }],
  ])('keeps its number from being called until it is found out, or given up (%s)', async (_, gate) => {
    const desk = gated(gate)
    await ask(desk, {})
    await db.exec("update call_desk.call_requests set state = 'unknown', sent_at = now(), unknown_at = now()")
    expect(await ask(desk, {})).toEqual(refused)
    expect(await refusals()).toEqual([null, 'unknown_pending'])
    await age(db, '5 hours')
    expect(await ask(desk, {})).toEqual(refused)
    await db.exec("update call_desk.call_requests set recorded_at = now() where state = 'unknown'")
    expect(await passes(desk, {})).toBe(true)
  })

  it('keeps it as long as the call that was found runs', async () => {
    const desk = gated()
    await ask(desk, {})
    await db.exec(
      "update call_desk.call_requests set state = 'unknown', unknown_at = now() - interval '1 hour', platform_call_id = 'c-1'",
    )
    expect(await ask(desk, {})).toEqual(refused)
    await endCalls(db)
    expect(await passes(desk, {})).toBe(true)
  })
})

describe('the places of calls at once', () => {
  it('are not kept by a request of unknown fate for longer than a call lasts', async () => {
    const desk = gated({ concurrent: 1, maxSeconds: 180 })
    await ask(desk, {})
    const become = (ago: string) =>
      db.exec(`update call_desk.call_requests set state = 'unknown', sent_at = now() - interval '${ago}'`)
    await become('3 minutes')
    expect(await ask(desk, { phone: '+14155552672' })).toEqual(refused)
    expect(await refusals()).toEqual([null, 'limit_concurrent'])
    await db.exec("delete from call_desk.call_requests where state = 'refused'")
    await become('5 minutes')
    expect(await passes(desk, { phone: '+14155552672' })).toBe(true)
  })
})

describe('a call that was taken for not placed, and is heard of', () => {
  it('keeps its number until it is over', async () => {
    const desk = gated()
    await ask(desk, {})
    await db.exec(
      "update call_desk.call_requests set state = 'failed', sent_at = now(), platform_call_id = 'c-1'",
    )
    expect(await ask(desk, {})).toEqual(refused)
    expect(await refusals()).toEqual([null, 'unknown_pending'])
    await db.exec("update call_desk.call_requests set recorded_at = now() where state = 'failed'")
    expect(await passes(desk, {})).toBe(true)
  })
})

describe('the simulated gate', () => {
  it('looks at pause and list alone, and keeps no ledger', async () => {
    const strict = { most: 0, windowMs: hour }
    const desk = gated({
      mode: 'simulated',
      countries: new Map(),
      startLimits: [strict],
      numberLimits: [strict],
      hours: { from: 0, to: 0 },
      concurrent: 0,
      dayBudget: 0,
    })
    expect(await passes(desk, { phone: '+447012345678' })).toBe(true)
    await db.transaction((tx) => tripBreaker(tx, 'failures'))
    expect(await passes(desk, { phone: '+447012345679' })).toBe(true)
    expect((await db.query('select from call_desk.ledger')).rows).toEqual([])
    await addNumbers(db, [phone], 'command')
    expect(await ask(desk, {})).toEqual(refused)
    await pauseCalls(db)
    expect(await ask(desk, { phone: '+14155552672' })).toEqual(refused)
    expect((await refusals()).filter(Boolean).sort()).toEqual(['dnc', 'paused'])
  })
})

describe('what stops all calls', () => {
  it('is obeyed by the next request, until it is lifted', async () => {
    const desk = gated()
    await pauseCalls(db)
    expect(await ask(desk, {})).toEqual(refused)
    await resumeCalls(db)
    await db.transaction((tx) => tripBreaker(tx, 'failures'))
    expect(await ask(desk, {})).toEqual(refused)
    await resumeCalls(db)
    expect(await passes(desk, {})).toBe(true)
    expect(await refusals()).toEqual(['paused', 'breaker_open', null])
  })

  it('opens at the request that finds the calls before it failed, with one alert', async () => {
    const lines: string[] = []
    const logger = pino({ level: 'error' }, { write: (line: string) => lines.push(line) })
    const breaker = { ...openGate.breaker, failures: { most: 2, windowMs: hour } }
    const desk = gated({ breaker }, { logger })
    await ask(desk, { phone: '+14155552672' })
    await ask(desk, { phone: '+14155552673' })
    await db.exec("update call_desk.call_requests set state = 'failed'")
    expect(await ask(desk, {})).toEqual(refused)
    expect(await ask(desk, {})).toEqual(refused)
    expect(await refusals()).toEqual([null, null, 'breaker_open', 'breaker_open'])
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 50, reason: 'failures' }])
  })
})
