import type { Db } from '@heyline/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deskOf, openDeskDb } from '../testing/desk.js'
import { type Ask, addressOf, age, ask, clearDesk, endCalls, openGate } from '../testing/gate-desk.js'
import type { GateSettings } from './gate-settings.js'
import { pauseCalls, resumeCalls } from './switches.js'

const hour = 3_600_000

let db: Db
beforeAll(async () => {
  db = await openDeskDb()
})
afterAll(() => db.close())
beforeEach(() => clearDesk(db))

const gated = (changes: Partial<GateSettings> = {}, options = {}) =>
  deskOf(db, 'http://127.0.0.1:1', { gate: { ...openGate, ...changes }, addressOf, ...options })
const anyone = { findVisitor: async (slug: string) => ({ slug }) }
const refusals = async () =>
  (
    await db.query<{ refusal: string | null }>(
      'select refusal from call_desk.call_requests order by created_at, refusal nulls first',
    )
  ).rows.map(({ refusal }) => refusal)
const passes = async (desk: ReturnType<typeof gated>, asked: Ask) => (await ask(desk, asked)).status === 202

describe('a limit', () => {
  /** So many requests of a kind are let pass in any hour: the most, then none, then again when the first are older. */
  const two = [{ most: 2, windowMs: hour }]
  const other = (place: number) => `+1415${200 + place}2671`
  /** The calls that each of five networks gets, one after the other, until one is refused. */
  const hadBy = async (desk: ReturnType<typeof gated>) => {
    const had = []
    for (let network = 1; network < 6; network++) {
      let calls = 0
      const next = () => ({ phone: other(network * 20 + calls), address: `203.0.${network}.${calls}` })
      while (await passes(desk, next())) calls++
      had.push(calls)
    }
    return had
  }
  it.each<[name: string, changes: Partial<GateSettings>, same: (place: number) => Ask, not: Ask]>([
    ['number', { numberLimits: two }, () => ({}), { phone: other(9) }],
    ['slug', { slugLimits: two }, (n) => ({ phone: other(n) }), { phone: other(9), slug: 'other' }],
    [
      'address',
      { addressLimits: two },
      (n) => ({ phone: other(n), address: '203.0.113.1' }),
      { phone: other(9), address: '203.0.113.2' },
    ],
    [
      'network',
      { networkLimits: two },
      (n) => ({ phone: other(n), address: `203.0.113.${n}` }),
      { phone: other(9), address: '203.0.114.1' },
    ],
    ['prefix', { prefixLimits: two }, (n) => ({ phone: `+1415555000${n}` }), { phone: other(9) }],
    ['country', { countryLimits: two }, (n) => ({ phone: other(n) }), { phone: '+16045551234' }],
  ])('of a %s holds in any window, for it alone', async (name, changes, same, not) => {
    const desk = gated(changes, anyone)
    for (const place of [1, 2]) {
      expect(await passes(desk, same(place))).toBe(true)
      await endCalls(db)
    }
    expect(await passes(desk, same(3))).toBe(false)
    expect(await passes(desk, not)).toBe(true)
    await endCalls(db)
    await age(db, '59 minutes')
    expect(await passes(desk, same(4))).toBe(false)
    await age(db, '1 minute')
    // Refused attempts count too where the limit is about who asks or about a block: one of them is still inside.
    expect(await passes(desk, same(5))).toBe(true)
    expect(new Set(await refusals())).toEqual(new Set([null, `limit_${name}`]))
  })

  it('of an address is not looked up for each request of one that asks on', async () => {
    const desk = gated({ addressLimits: two }, anyone)
    const asked = 40
    for (let place = 0; place < asked; place++)
      expect(await passes(desk, { phone: other(place), address: '203.0.113.1' })).toBe(place < 2)
    // The first ten that it refuses are stored, and then one a second.
    expect((await refusals()).length).toBeLessThan(asked)
    expect(await passes(desk, { phone: other(asked), address: '203.0.113.2' })).toBe(true)
  })

  it('of money leaves half of the day to other networks, as soon as a call’s cost is known', async () => {
    // Six longest calls a day, of three minutes: three of them are one network's.
    const desk = gated({ dayBudget: 4_500_000 }, anyone)
    const of = (place: number, network: string) => ({ phone: other(place), address: `${network}${place}` })
    for (const place of [1, 2, 3])
      expect(await passes(desk, of(place, '2001:db8:1:'.concat(`${place}::`)))).toBe(true)
    expect(await passes(desk, of(4, '2001:db8:1:4::'))).toBe(false)
    expect(await refusals()).toContain('limit_network')
    expect(await passes(desk, of(5, '203.0.113.'))).toBe(true)
    // The three lasted a minute each.
    await db.exec(`update call_desk.call_requests set state = 'ended', outcome = 'completed', in_progress_at = now(), ended_at = now()
      where phone in ('+14152012671', '+14152022671', '+14152032671')`)
    expect(await passes(desk, of(6, '2001:db8:1:6::'))).toBe(true)
    expect(await passes(desk, of(7, '2001:db8:1:7::'))).toBe(false)
    await age(db, '1 day')
    expect(await passes(desk, of(8, '2001:db8:1:8::'))).toBe(true)
  })

  it('of money leaves each further network half of what is left, and one call while there is any', async () => {
    // Sixteen longest calls a day.
    const desk = gated({ dayBudget: 12_000_000 }, anyone)
    expect(await hadBy(desk)).toEqual([8, 4, 2, 1, 1])
  })

  it.each<[string, string, Partial<GateSettings>, number[]]>([
    ['places', 'limit_concurrent', { concurrent: 8 }, [4, 2, 1, 1, 0]],
    ['starts', 'limit_starts', { startLimits: [{ most: 8, windowMs: hour }] }, [4, 2, 1, 1, 0]],
    [
      'calls to a country',
      'limit_country',
      { countryLimits: [{ most: 8, windowMs: hour }] },
      [4, 2, 1, 1, 0],
    ],
  ])('of %s leaves half to other networks', async (_, refusal, changes, shares) => {
    const desk = gated({ ...changes, addressLimits: [{ most: 1, windowMs: hour }] }, anyone)
    expect(await hadBy(desk)).toEqual(shares)
    expect(new Set((await refusals()).filter((each) => each !== null))).toEqual(
      new Set(['limit_network', refusal]),
    )
    await clearDesk(db)
    // Where nobody is told apart, one may be everybody.
    const anybody = gated(changes, anyone)
    for (let place = 0; place < 8; place++) expect(await passes(anybody, { phone: other(place) })).toBe(true)
    expect(await passes(anybody, { phone: other(8) })).toBe(false)
  })

  it.each([
    ['whose address is not known', undefined],
    ['of this machine', '127.0.0.1'],
  ])('of money has no share for clients %s', async (_, address) => {
    const desk = gated({ dayBudget: 3_000_000 }, anyone)
    for (let place = 0; place < 4; place++)
      expect(await passes(desk, { phone: other(place), ...(address && { address }) })).toBe(true)
    expect(await passes(desk, { phone: other(5), ...(address && { address }) })).toBe(false)
    expect(await refusals()).toContain('budget_exhausted')
  })

  it('of starts counts all that were let pass, and no refused ones', async () => {
    const desk = gated({ startLimits: two }, anyone)
    for (let place = 0; place < 5; place++) await ask(desk, { phone: '+447400123456' })
    expect(await passes(desk, { phone: other(1), slug: 'a' })).toBe(true)
    expect(await passes(desk, { phone: other(2), slug: 'b' })).toBe(true)
    expect(await passes(desk, { phone: other(3), slug: 'c' })).toBe(false)
    await endCalls(db)
    await age(db, '1 hour')
    expect(await passes(desk, { phone: other(3), slug: 'c' })).toBe(true)
  })

  it.each([
    ['number', 'numberLimits', true],
    ['slug', 'slugLimits', true],
    ['address', 'addressLimits', false],
    ['network', 'networkLimits', false],
    ['prefix', 'prefixLimits', true],
    ['country', 'countryLimits', true],
  ] as const)(
    'of a %s: whether attempts leave it as it was that are held against who asks',
    async (_, limits, leaves) => {
      const asked = { address: '203.0.113.1' }
      const strict = gated({ slugConcurrent: 0 })
      for (let place = 0; place < 2; place++) await ask(strict, asked)
      expect(await refusals()).toEqual(['limit_slug', 'limit_slug'])
      expect(await passes(gated({ [limits]: two }), asked)).toBe(leaves)
    },
  )

  it.each(['addressLimits', 'networkLimits', 'prefixLimits'] as const)(
    '(%s) is left as it was by attempts that nobody is to blame for',
    async (limits) => {
      await pauseCalls(db)
      const desk = gated({ [limits]: two })
      for (let place = 0; place < 2; place++) await ask(desk, { address: '203.0.113.1' })
      await resumeCalls(db)
      expect(await passes(desk, { address: '203.0.113.1' })).toBe(true)
    },
  )

  it('for ever is counted from the reset of its slug on', async () => {
    const desk = gated({ slugLimits: [{ most: 1, windowMs: Number.POSITIVE_INFINITY }] })
    await ask(desk, {})
    await endCalls(db)
    await age(db, '3 years')
    expect(await passes(desk, {})).toBe(false)
    await db.exec("insert into call_desk.slug_resets (slug) values ('acme')")
    expect(await passes(desk, {})).toBe(true)
    await endCalls(db)
    expect(await passes(desk, {})).toBe(false)
  })

  it('counts a call whatever became of it', async () => {
    const desk = gated({ numberLimits: [{ most: 1, windowMs: hour }] })
    await ask(desk, {})
    await db.exec("update call_desk.call_requests set state = 'failed'")
    expect(await passes(desk, {})).toBe(false)
  })

  it.each([
    ['concurrent', 'limit_concurrent'],
    ['slugConcurrent', 'limit_slug'],
  ] as const)('of calls in flight: %s', async (limit, refusal) => {
    const desk = gated({ [limit]: 2 })
    await ask(desk, { phone: other(1) })
    await ask(desk, { phone: other(2) })
    expect(await passes(desk, { phone: other(3) })).toBe(false)
    expect(await refusals()).toEqual([null, null, refusal])
    await db.query(
      "update call_desk.call_requests set state = 'unknown', sent_at = now(), unknown_at = now() where phone = $1",
      [other(1)],
    )
    await age(db, '5 hours')
    expect(await passes(desk, { phone: other(3) })).toBe(false)
    await db.query("update call_desk.call_requests set state = 'ended' where phone = $1", [other(2)])
    expect(await passes(desk, { phone: other(3) })).toBe(true)
    expect(await passes(desk, { phone: other(4) })).toBe(false)
    await db.query('update call_desk.call_requests set recorded_at = now() where phone = $1', [other(1)])
    expect(await passes(desk, { phone: other(4) })).toBe(true)
  })

  it('of numbers blocks an address for long that came to too many', async () => {
    const addressNumbers = { most: 3, windowMs: hour, blockMs: 24 * hour }
    const desk = gated({ addressNumbers })
    const at = (place: number) => ({ phone: other(place), address: '203.0.113.1' })
    for (const place of [1, 2]) expect(await passes(desk, at(place))).toBe(true)
    await age(db, '1 hour')
    // Those two are outside of the window now; so three more are needed.
    for (const place of [3, 4, 5]) expect(await passes(desk, at(place))).toBe(true)
    await endCalls(db)
    expect(await passes(desk, at(5))).toBe(false)
    expect(await passes(desk, { ...at(6), address: '203.0.113.2' })).toBe(true)
    await age(db, '23 hours 59 minutes')
    expect(await passes(desk, at(7))).toBe(false)
    await db.exec("delete from call_desk.call_requests where state = 'refused'")
    await age(db, '1 minute')
    expect(await passes(desk, at(7))).toBe(true)
  })

  it('of money is freed by what calls did not cost', async () => {
    const desk = gated({ dayBudget: 1_500_000 })
    const at = (place: number) => ({ phone: other(place), address: `198.51.${place}.1` })
    const { id } = await ask(desk, at(1))
    await ask(desk, at(2))
    expect(await passes(desk, at(3))).toBe(false)
    await db.query('select call_desk.settle_spend($1, 0)', [id])
    expect(await passes(desk, at(3))).toBe(true)
    await age(db, '24 hours')
    expect(await passes(desk, at(4))).toBe(true)
    expect(await refusals()).toContain('budget_exhausted')
  })
})
