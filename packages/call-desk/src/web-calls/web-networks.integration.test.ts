import type { Db } from '@heyline/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { WebGateSettings } from '../index.js'
import { DEFAULT_WEB_GATE } from '../index.js'
import { openDeskDb } from '../testing/desk.js'
import { age, clearDesk, endCalls } from '../testing/gate-desk.js'
import { expectRefusedWeb, openWebGate, reserveWeb, webDeskOf, webMoney } from '../testing/web-desk.js'

let db: Db
beforeAll(async () => {
  db = await openDeskDb()
})
afterAll(() => db.close())
beforeEach(() => clearDesk(db))

const desk = (changes?: Partial<WebGateSettings>) => webDeskOf(db, changes)
const person = { address: '203.0.113.1' }
const minute = 60_000
const refused = (refusal: string, status?: number) => (answer: Promise<unknown>) =>
  expectRefusedWeb(db, answer, refusal, status)

describe('one network', () => {
  /** From another /64 of one /48. */
  const neighbour = (place: number) => ({ address: `2001:db8:7:${place}::1` })
  const priced = { ...DEFAULT_WEB_GATE, minutePrice: 200_000, maxSeconds: 600 }

  it.each(['dayBudget', 'monthBudget'] as const)(
    'of however many addresses has no more than half of the %s',
    async (name) => {
      const open = desk({ ...priced, dayBudget: undefined, monthBudget: undefined, [name]: 20_000_000 })
      for (let place = 0; place < 5; place++)
        expect(await reserveWeb(open, neighbour(place))).toMatchObject({ result: 'reserved' })
      await refused('limit_network')(reserveWeb(open, neighbour(5)))
      for (let place = 0; place < 5; place++)
        expect(await reserveWeb(open, { address: `198.51.${place}.1` })).toMatchObject({ result: 'reserved' })
      await refused('budget_exhausted', 403)(reserveWeb(open, { address: '192.0.2.1' }))
      await age(db, name === 'dayBudget' ? '1 day' : '31 days')
      expect(await reserveWeb(open, neighbour(5))).toMatchObject({ result: 'reserved' })
    },
  )

  it.each(['dayBudget', 'monthBudget'] as const)(
    'and a second have less than the whole %s, and a third finds some',
    async (name) => {
      const open = desk({ ...priced, dayBudget: undefined, monthBudget: undefined, [name]: 20_000_000 })
      const calls = async (network: number) => {
        let count = 0
        while (
          (await reserveWeb(open, { address: `203.0.${network}.${count}`, slug: `${network}` })).result ===
          'reserved'
        )
          count++
        return count
      }
      expect([await calls(1), await calls(2), await calls(3), await calls(4)]).toEqual([5, 2, 1, 1])
      // The first network spent a little of what was reserved.
      await db.exec(`update call_desk.ledger set spent = 200000 where request_id in
        (select id from call_desk.call_requests where network = '203.0.1.0/24')`)
      expect(await reserveWeb(open, { address: '203.0.2.9' })).toMatchObject({ result: 'reserved' })
    },
  )

  it.each([
    ['that is not known', {}],
    ['that is this machine', { address: '127.0.0.1' }],
  ])('%s may have it all', async (_, anybody) => {
    const open = desk({ ...openWebGate, minutePrice: 200_000, maxSeconds: 600, dayBudget: 8_000_000 })
    for (let place = 0; place < 4; place++)
      expect(await reserveWeb(open, anybody)).toMatchObject({ result: 'reserved' })
    await refused('budget_exhausted', 403)(reserveWeb(open, anybody))
  })

  it('may have one call in any case, and as many as the other limits allow where calls cost nothing', async () => {
    const small = desk({ ...priced, dayBudget: 3_000_000 })
    expect(await reserveWeb(small, neighbour(0))).toMatchObject({ result: 'reserved' })
    await refused('limit_network')(reserveWeb(small, neighbour(1)))
    await clearDesk(db)
    const free = desk({ ...DEFAULT_WEB_GATE, minutePrice: 0 })
    for (let place = 0; place < 10; place++)
      expect(await reserveWeb(free, neighbour(place))).toMatchObject({ result: 'reserved' })
  })

  it('has the money of a call back as soon as it is over, before the platform reports', async () => {
    // A dozen reservations are more than half.
    const open = desk({ ...priced, dayBudget: 40_000_000 })
    for (let tries = 0; tries < 12; tries++) {
      expect(await reserveWeb(open, person)).toMatchObject({ result: 'reserved' })
      await db.exec("update call_desk.call_requests set in_progress_at = now() where state <> 'ended'")
      await endCalls(db)
      await age(db, '49 seconds')
    }
    expect((await webMoney(db)).every(({ spent }) => spent === null)).toBe(true)
  })

  it('begins no more than half of the calls to one visitor’s page, so that the visitor is not locked out', async () => {
    const open = desk({
      slugLimits: [{ most: 6, windowMs: 60 * minute }],
      addressLimits: [{ most: 2, windowMs: minute }],
    })
    for (let place = 0; place < 3; place++)
      expect(await reserveWeb(open, neighbour(place))).toMatchObject({ result: 'reserved' })
    await refused('limit_network')(reserveWeb(open, neighbour(3)))
    expect(await reserveWeb(open, { ...neighbour(3), slug: 'other' })).toMatchObject({ result: 'reserved' })
    for (let place = 0; place < 3; place++)
      expect(await reserveWeb(open, { address: `198.51.${place}.1` })).toMatchObject({ result: 'reserved' })
    await refused('limit_slug')(reserveWeb(open, { address: '192.0.2.1' }))
  })

  it.each<['slugLimits' | 'startLimits', string, string]>([
    ['slugLimits', 'limit_slug', 'acme'],
    ['startLimits', 'limit_starts', 'other'],
  ])(
    'begins of the %s half of what others leave, so that two do not have all',
    async (limits, full, slug) => {
      const open = desk({
        [limits]: [{ most: 16, windowMs: minute }],
        addressLimits: [{ most: 2, windowMs: minute }],
      })
      const calls = async (network: number) => {
        let count = 0
        const next = () => ({ address: `203.0.${network}.${count}`, slug: count % 2 ? slug : 'acme' })
        while ((await reserveWeb(open, next())).result === 'reserved') count++
        return count
      }
      expect(await calls(1)).toBe(8)
      // Calls that nobody joined take nothing from a share.
      await reserveWeb(open, { address: '203.0.2.99' })
      await db.exec(`update call_desk.call_requests set state = 'ended', outcome = 'silence', ended_at = now()
      where network = '203.0.2.0/24'`)
      // From the third on, a person's two are no longer sure: others have half.
      expect([await calls(2), await calls(3), await calls(4), await calls(5)]).toEqual([4, 2, 1, 1])
      await refused(full)(reserveWeb(open, { address: '192.0.2.1' }))
    },
  )

  it('that is this machine may begin them all', async () => {
    const four = [{ most: 4, windowMs: minute }]
    const open = desk({
      slugLimits: four,
      startLimits: four,
      addressLimits: [{ most: 1, windowMs: minute }],
    })
    for (let place = 1; place < 5; place++)
      expect(await reserveWeb(open, { address: `127.0.0.${place}` })).toMatchObject({ result: 'reserved' })
    await refused('limit_slug')(reserveWeb(open, { address: '127.0.0.5' }))
  })

  it('may begin as many there as one address may, so that a small limit is nobody’s half', async () => {
    const open = desk({
      slugLimits: [{ most: 3, windowMs: minute }],
      addressLimits: [{ most: 12, windowMs: minute }],
    })
    for (let tries = 0; tries < 3; tries++)
      expect(await reserveWeb(open, person)).toMatchObject({ result: 'reserved' })
    await refused('limit_slug')(reserveWeb(open, person))
  })
})
