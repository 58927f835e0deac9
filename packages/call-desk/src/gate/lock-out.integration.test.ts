import type { Db } from '@heyline/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deskOf, openDeskDb } from '../testing/desk.js'
import { type Ask, addressOf, ask, clearDesk, endCalls } from '../testing/gate-desk.js'
import { DEFAULT_GATE } from './gate-settings.js'
import { pauseCalls, resumeCalls } from './switches.js'

let db: Db
beforeAll(async () => {
  db = await openDeskDb()
})
afterAll(() => db.close())
beforeEach(() => clearDesk(db))

const humanCheck = {
  isToken: (text: string) => /^(good|bad)/.test(text),
  verify: async (text: string) => (text.startsWith('good') ? text : undefined),
}
/** The defaults, at any hour. */
const desk = (own: Db = db) =>
  deskOf(own, 'http://127.0.0.1:1', {
    gate: { ...DEFAULT_GATE, hours: undefined },
    addressOf,
    humanCheck,
    findVisitor: async (slug) => ({ slug }),
  })

let tokens = 0
/** A person with a good check, who shares nothing with the others. */
const person = (asked: Ask): Ask => ({
  address: `198.51.${++tokens}.1`,
  slug: `page-${tokens}`,
  headers: { 'x-human-check': `good ${tokens}` },
  ...asked,
})
const mine = (phone: string) => person({ phone, address: '203.0.113.1', slug: 'mine' })
const heard = async (asked: Ask, own = desk()) => {
  const { status, code } = await ask(own, asked)
  return code === undefined ? status : `${status} ${code}`
}
const refusals = async () =>
  (
    await db.query<{ refusal: string | null }>(
      'select refusal from call_desk.call_requests order by created_at',
    )
  ).rows.map(({ refusal }) => refusal)

describe('requests without a human check', () => {
  it.each([
    ['no token', {}],
    ['no token, but a key', { 'idempotency-key': 'k-1' }],
    ['nonsense for a token', { 'x-human-check': 'nonsense' }],
    ['a bad token', { 'x-human-check': 'bad' }],
  ])('close no number, and no block of numbers: %s', async (_, headers) => {
    for (const place of [1, 2, 3, 4, 5, 6])
      expect(await heard({ phone: '+14155552671', slug: 'acme', address: `10.0.${place}.1`, headers })).toBe(
        '403 call_refused',
      )
    expect(await heard(person({ phone: '+14155552671' }))).toBe(202)
    expect(await heard(person({ phone: '+14155559999' }))).toBe(202)
  })

  it('lock nobody at the same address out, however often they come', async () => {
    const open = desk()
    const bad = {
      phone: '+14155552671',
      slug: 'acme',
      address: '203.0.113.1',
      headers: { 'x-human-check': 'bad' },
    }
    for (let time = 0; time < 30; time++) expect(await heard(bad, open)).toBe('403 call_refused')
    expect(await heard(mine('+14155552671'), open)).toBe(202)
  })

  it('take no turn, ask no database and leave no row, where they bring nothing that can be a token', async () => {
    const untouchable: Db = {
      ...db,
      query: () => Promise.reject(new Error('asked')),
      transaction: () => Promise.reject(new Error('asked')),
    }
    for (const text of ['', 'nonsense'])
      expect(await heard({ headers: { 'x-human-check': text } }, desk(untouchable))).toBe('403 call_refused')
    expect(await refusals()).toEqual([])
  })
})

describe('attempts that were refused for something else', () => {
  it('lock nobody at the same address out: thirty foreign numbers', async () => {
    const open = desk()
    for (let time = 0; time < 30; time++)
      expect(await heard(person({ phone: `+49301234${1000 + time}`, address: '203.0.113.1' }), open)).toBe(
        '403 call_refused',
      )
    // The first ten are stored, and then one a second.
    expect((await refusals()).length).toBeLessThan(30)
    expect(await heard(mine('+14155552671'), open)).toBe(202)
  })

  it('of strangers close no block of numbers', async () => {
    const others = { phone: '+14155552671', address: '10.0.0.1', slug: 'acme' }
    for (let place = 0; place < 9; place++) await ask(desk(), person(others))
    expect((await refusals()).filter(Boolean)).toHaveLength(8)
    expect(await heard(person({ phone: '+14155559999' }))).toBe(202)
  })

  it('for the number alone do not lock their address: mistyped, foreign and premium ones', async () => {
    for (const phone of ['+447400123456', '+33612345678', '+12129761234', '+14155551212', '+19002345678'])
      expect(await heard(mine(phone))).toBe('403 call_refused')
    expect(await heard(mine('+14155552671'))).toBe(202)
  })

  it('while calls were paused do not lock their address', async () => {
    await pauseCalls(db)
    for (const phone of ['+14155552671', '+14165552671', '+12125552671'])
      expect(await heard(mine(phone))).toBe('403 call_refused')
    await resumeCalls(db)
    expect(await heard(mine('+14155552671'))).toBe(202)
  })

  it('because the house was full do not lock their address', async () => {
    for (const place of [1, 2, 3, 4, 5])
      expect(await heard(person({ phone: `+1415${200 + place}2671` }))).toBe(202)
    for (let place = 0; place < 3; place++) expect(await heard(mine('+12125552671'))).toBe('403 call_refused')
    expect(new Set((await refusals()).slice(5))).toEqual(new Set(['limit_starts']))
    await endCalls(db)
    await db.exec("update call_desk.call_requests set created_at = created_at - interval '1 minute'")
    expect(await heard(mine('+12125552671'))).toBe(202)
  })

  it('for a number in flight are held against who asks, so that it is no way to watch a number', async () => {
    await ask(desk(), person({ phone: '+14155552671', slug: 'acme' }))
    const prober = () => person({ phone: '+14155552671', slug: 'other', address: '203.0.113.9' })
    expect([await heard(prober()), await heard(prober()), await heard(prober())]).toEqual([
      '409 in_flight',
      '409 in_flight',
      '403 call_refused',
    ])
    await endCalls(db)
    expect(await heard(prober())).toBe('403 call_refused')
    expect(await refusals()).toEqual([null, 'in_flight', 'in_flight', 'limit_address', 'limit_address'])
  })

  it('for a number in flight on the same page are held against who asks, too', async () => {
    const first = await ask(desk(), mine('+14155552671'))
    const second = await ask(desk(), mine('+14155552671'))
    expect([first.status, second.status, await heard(mine('+14155552671'))]).toEqual([
      202,
      202,
      '403 call_refused',
    ])
    expect(second.id).not.toBe(first.id)
    expect(await refusals()).toEqual([null, 'repeated', 'limit_address'])
  })
})

describe('the line before the gate', () => {
  it('holds three of one address, and goes on for all others', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow: Db = {
      ...db,
      async transaction(run) {
        await released
        return await db.transaction(run)
      },
    }
    const own = desk(slow)
    const done: string[] = []
    const attack = Array.from({ length: 40 }, async (_, place) => {
      const answer = await heard(person({ phone: `+1415${200 + place}2671`, address: '203.0.113.1' }), own)
      done.push(String(answer))
    })
    const honest = heard(person({ phone: '+12125552671' }), own)
    await expect.poll(() => done, { timeout: 4000 }).toEqual(Array(37).fill('503 unavailable'))
    release()
    await Promise.all(attack)
    expect(await honest).toBe(202)
    expect(await heard(mine('+13125552671'), own)).toBe('403 call_refused')
  })
})
