import type { Db } from '@heyline/database'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deskOf, openDeskDb } from '../testing/desk.js'
import { addressOf, age, ask, clearDesk, openGate } from '../testing/gate-desk.js'
import { lastRefusal } from '../testing/web-desk.js'
import { ReservationLog } from '../webhook/reservation-log.js'
import { pauseCalls } from './switches.js'

let db: Db
beforeAll(async () => {
  db = await openDeskDb()
})
afterAll(() => db.close())
beforeEach(() => clearDesk(db))

const desk = () => deskOf(db, 'http://127.0.0.1:1', { gate: openGate, addressOf })
/** Is told of no addresses. */
const simulatedDesk = () => deskOf(db, 'http://127.0.0.1:1', { gate: { ...openGate, mode: 'simulated' } })
/** The first ones are mistakes, which are held against nobody. */
const refuse = (count: number, address: string | null, refusal = 'dnc') =>
  db.query(
    `insert into call_desk.call_requests (phone, slug, body_hash, state, refusal, address)
     select '+14155552671', 'acme', '', 'refused', $3, $2 from generate_series(1, $1::int)`,
    [count, address, refusal],
  )
/** One each of so many addresses of 2001:db8:1::/48. */
const refuseNetwork = (count: number, refusal: string) =>
  db.query(
    `insert into call_desk.call_requests (phone, slug, body_hash, state, refusal, address, network)
     select '+14155552671', 'acme', '', 'refused', $2, '2001:db8:1:' || n || '::/64', '2001:db8:1::/48'
     from generate_series(1, $1::int) n`,
    [count, refusal],
  )
const count = async () =>
  (await db.query<{ count: number }>('select count(*) from call_desk.call_requests')).rows[0]?.count

describe('a flood of refused requests', () => {
  const clients: [string, string, { address?: string }][] = [
    ['one address', '203.0.113.1', { address: '203.0.113.1' }],
    ['all addresses that are not known', 'unknown', {}],
  ]
  it.each(clients)('of %s fills no disk, and shuts nobody out', async (_, address, from) => {
    await refuse(99, address)
    expect(await ask(desk(), { ...from, phone: '+447400123456' })).toMatchObject({ status: 403 })
    expect(await count()).toBe(100)
    expect(await ask(desk(), { ...from, phone: '+447400123456' })).toMatchObject({ status: 403 })
    expect(await count()).toBe(100)
    expect(await ask(desk(), from)).toMatchObject({ status: 202 })
  })

  it.each(clients)('of %s that is held against it shuts it out for an hour', async (_, address, from) => {
    await refuse(100, address, 'limit_number')
    expect(await ask(desk(), from)).toMatchObject({ status: 403, code: 'call_refused' })
    expect(await count()).toBe(100)
    expect(await ask(desk(), { address: '203.0.113.2', phone: '+14155552672' })).toMatchObject({
      status: 202,
    })
    await age(db, '1 hour')
    expect(await ask(desk(), from)).toMatchObject({ status: 202 })
  })

  it('of one network fills no disk, from however many addresses', async () => {
    const from = (place: number, network = 1) => ({
      address: `2001:db8:${network}:${place}::1`,
      phone: '+447400123456',
    })
    await refuseNetwork(299, 'dnc')
    expect(await ask(desk(), from(0))).toMatchObject({ status: 403 })
    expect(await count()).toBe(300)
    expect(await ask(desk(), from(9000))).toMatchObject({ status: 403 })
    expect(await count()).toBe(300)
    expect(await ask(desk(), from(1, 2))).toMatchObject({ status: 403 })
    expect(await count()).toBe(301)
    expect(await ask(desk(), { ...from(9001), phone: '+14155552671' })).toMatchObject({ status: 202 })
    // What is held against who asks is stored behind any number of mistakes, so that it counts.
    expect(await ask(desk(), { ...from(9001), phone: '+14155552671' })).toMatchObject({ status: 202 })
    expect(await lastRefusal(db)).toBe('repeated')
  })

  it('of one network that is held against it shuts the network out for an hour', async () => {
    const from = { address: '2001:db8:1:9001::1' }
    await refuseNetwork(300, 'limit_number')
    expect(await ask(desk(), from)).toMatchObject({ status: 403, code: 'call_refused' })
    expect(await count()).toBe(300)
    await age(db, '1 hour')
    expect(await ask(desk(), from)).toMatchObject({ status: 202 })
  })

  /** Tokens of the human check are good or bad. */
  const checkedDesk = (of: Db, logger = pino({ level: 'silent' })) =>
    deskOf(of, 'http://127.0.0.1:1', {
      gate: openGate,
      addressOf,
      humanCheck: {
        isToken: () => true,
        verify: async (token: string) => (token === 'good' ? token : undefined),
      },
      logger,
    })
  const from = (place: number, token: string) => ({
    address: `2001:db8:${place}::1`,
    headers: { 'x-human-check': token },
  })
  const failedChecks = (count: number) =>
    db.query(
      `insert into call_desk.call_requests (phone, slug, body_hash, state, refusal, address, network)
       select '+14155552671', 'acme', '', 'refused', 'human_check_failed', 'a' || n, 'n' || n from generate_series(1, $1::int) n`,
      [count],
    )

  it('with made-up tokens fills no disk, from however many networks', async () => {
    const lines: { untold?: number; refusal?: string }[] = []
    const logger = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line)) })
    const checked = checkedDesk(db, logger)
    await failedChecks(299)
    for (let place = 1; place <= 5; place++)
      expect(await ask(checked, from(place, 'bad'))).toMatchObject({ status: 403, code: 'call_refused' })
    expect(await count()).toBe(300)
    expect(lines.filter(({ refusal }) => refusal === 'human_check_failed')).toHaveLength(2)
    // Other refusals are stored still, and honest visitors pass.
    expect(await ask(checked, from(1, 'good'))).toMatchObject({ status: 202 })
    await ask(checked, { ...from(2, 'good'), phone: '+14155552672' })
    expect(await count()).toBe(301)
    await age(db, '1 hour')
    await ask(checked, from(6, 'bad'))
    expect(await count()).toBe(302)
  })

  it('with made-up tokens is looked at once a second of each network, once nothing more of it is stored', async () => {
    let looks = 0
    const counted: Db = {
      ...db,
      transaction: (...work) => {
        looks++
        return db.transaction(...work)
      },
    }
    const checked = checkedDesk(counted)
    await failedChecks(300)
    const began = performance.now()
    for (let time = 0; time < 20; time++)
      for (const place of [1, 2])
        expect(await ask(checked, from(place, 'bad'))).toMatchObject({ status: 403, code: 'call_refused' })
    const seconds = (performance.now() - began) / 1_000
    expect(looks).toBeLessThanOrEqual(2 * Math.ceil(seconds + 1))
    expect(await ask(checked, from(1, 'good'))).toMatchObject({ status: 202 })
  })

  it('with made-up tokens shuts no neighbour out', async () => {
    await refuseNetwork(300, 'human_check_failed')
    expect(await ask(desk(), { address: '2001:db8:1:9001::1' })).toMatchObject({ status: 202 })
  })

  it('behind a spent budget fills no disk', async () => {
    const spent = deskOf(db, 'http://127.0.0.1:1', { gate: { ...openGate, dayBudget: 1 }, addressOf })
    await refuse(99, '203.0.113.1', 'budget_exhausted')
    for (let time = 0; time < 3; time++)
      expect(await ask(spent, { address: '203.0.113.1' })).toMatchObject({ status: 403 })
    expect(await count()).toBe(100)
  })

  it('is not stored where calls are simulated, and keeps nobody from calling', async () => {
    await refuse(100, null)
    await pauseCalls(db)
    expect(await ask(simulatedDesk())).toMatchObject({ status: 403 })
    expect(await count()).toBe(100)
    await clearDesk(db)
    await refuse(100, null)
    expect(await ask(simulatedDesk())).toMatchObject({ status: 202 })
  })

  it('is told to the log once a minute', () => {
    let now = 0
    const lines: string[] = []
    const log = new ReservationLog(
      pino({}, { write: (line: string) => lines.push(line) }),
      undefined,
      () => now,
    )
    const flood = () => log.write({ result: 'refused', refusal: 'limit_address', request: undefined })
    flood()
    now = 59_999
    flood()
    expect(lines).toHaveLength(1)
    now = 60_000
    flood()
    expect(lines).toHaveLength(2)
  })

  it('that nobody could store is told once a minute too, for itself', () => {
    let now = 0
    const lines: string[] = []
    const log = new ReservationLog(
      pino({}, { write: (line: string) => lines.push(line) }),
      undefined,
      () => now,
    )
    log.write({ result: 'refused', refusal: 'limit_address', request: undefined })
    for (now of [0, 59_999, 60_000]) log.crowd('too_many')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, refusal: 'limit_address' },
      { level: 40, reason: 'too_many' },
      { level: 40, reason: 'too_many' },
    ])
  })
})
