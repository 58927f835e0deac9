import type { Db } from '@heyline/database'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deskOf, openDeskDb } from '../testing/desk.js'
import { addressOf, age, ask, clearDesk, openGate } from '../testing/gate-desk.js'
import { ReservationLog } from '../webhook/reservation-log.js'
import { pauseCalls } from './switches.js'

let db: Db
beforeAll(async () => {
  db = await openDeskDb()
})
afterAll(() => db.close())
beforeEach(() => clearDesk(db))

const desk = (mode: 'full' | 'simulated' = 'full') =>
  deskOf(db, 'http://127.0.0.1:1', { gate: { ...openGate, mode }, addressOf })
const refuse = (count: number, address: string | null) =>
  db.query(
    `insert into call_desk.call_requests (phone, slug, body_hash, state, refusal, address)
     select '+14155552671', 'acme', '', 'refused', 'dnc', $2 from generate_series(1, $1::int)`,
    [count, address],
  )
const count = async () =>
  (await db.query<{ count: number }>('select count(*) from call_desk.call_requests')).rows[0]?.count

describe('a flood of refused requests', () => {
  it.each([
    ['one address', '203.0.113.1', { address: '203.0.113.1' }],
    ['all addresses that are not known', null, {}],
  ])('of %s fills no disk', async (_, address, from) => {
    await refuse(99, address)
    expect(await ask(desk(), { ...from, phone: '+447400123456' })).toMatchObject({ status: 403 })
    expect(await count()).toBe(100)
    expect(await ask(desk(), { ...from, phone: '+447400123456' })).toMatchObject({ status: 403 })
    expect(await ask(desk(), from)).toMatchObject({ status: 403, code: 'call_refused' })
    expect(await count()).toBe(100)
    expect(await ask(desk(), { address: '203.0.113.2', phone: '+14155552672' })).toMatchObject({
      status: 202,
    })
    await age(db, '1 hour')
    expect(await ask(desk(), from)).toMatchObject({ status: 202 })
  })

  it('is not stored where calls are simulated, and keeps nobody from calling', async () => {
    await refuse(100, null)
    await pauseCalls(db)
    expect(await ask(desk('simulated'))).toMatchObject({ status: 403 })
    expect(await count()).toBe(100)
    await clearDesk(db)
    await refuse(100, null)
    expect(await ask(desk('simulated'))).toMatchObject({ status: 202 })
  })

  it('is told to the log once a minute', () => {
    let now = 0
    const lines: string[] = []
    const log = new ReservationLog(pino({}, { write: (line: string) => lines.push(line) }), () => now)
    const flood = () => log.write({ result: 'refused', refusal: 'limit_address', request: undefined })
    flood()
    now = 59_999
    flood()
    expect(lines).toHaveLength(1)
    now = 60_000
    flood()
    expect(lines).toHaveLength(2)
  })
})
