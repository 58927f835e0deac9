import { randomUUID } from 'node:crypto'
import type { Db } from '@heyline/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { pauseCalls, resumeCalls } from '../gate/switches.js'
import type { CallDeskOptions, WebGateSettings } from '../index.js'
import { DEFAULT_WEB_GATE, SIMULATED_WEB_GATE } from '../index.js'
import { deskOf, openDeskDb } from '../testing/desk.js'
import { ADDRESS_HEADER, addressOf, age, ask, clearDesk, endCalls, openGate } from '../testing/gate-desk.js'
import {
  expectRefusedWeb,
  openWebGate,
  reservedWeb,
  reserveWeb,
  webDeskOf,
  webMoney,
} from '../testing/web-desk.js'

let db: Db
beforeAll(async () => {
  db = await openDeskDb()
})
afterAll(() => db.close())
beforeEach(() => clearDesk(db))

const desk = (changes?: Partial<WebGateSettings>) => webDeskOf(db, changes)
const person = { address: '203.0.113.1' }
const minute = 60_000
const rows = async (where = 'true') =>
  (await db.query(`select from call_desk.call_requests where ${where}`)).rowCount
const refused = (refusal: string, status?: number) => (answer: Promise<unknown>) =>
  expectRefusedWeb(db, answer, refusal, status)

describe('the default gate', () => {
  it('lets one person try a dozen times in ten minutes, one after the other', async () => {
    const open = desk(DEFAULT_WEB_GATE)
    for (let tries = 0; tries < 12; tries++) {
      expect(await reserveWeb(open, person)).toMatchObject({ result: 'reserved', maxSeconds: 600 })
      await endCalls(db)
      // The report has come: a minute was talked.
      await db.exec('update call_desk.ledger set spent = 200000')
      await age(db, '49 seconds')
    }
    await refused('limit_address')(reserveWeb(open, person))
    expect(await reserveWeb(open, { address: '198.51.100.7' })).toMatchObject({ result: 'reserved' })
    await age(db, '20 seconds')
    expect(await reserveWeb(open, person)).toMatchObject({ result: 'reserved' })
  })

  it('lets one person have three calls at once, and no more', async () => {
    const open = desk(DEFAULT_WEB_GATE)
    const calls = [await reservedWeb(open, person), await reservedWeb(open, person)]
    expect(await reserveWeb(open, person)).toMatchObject({ result: 'reserved' })
    await refused('limit_address')(reserveWeb(open, person))
    expect(await reserveWeb(open, person)).toMatchObject({ retryAfterSeconds: 60 })
    await calls[0]?.failed()
    expect(await reserveWeb(open, person)).toMatchObject({ result: 'reserved' })
  })

  it('lets three of many at once pass', async () => {
    const open = desk(DEFAULT_WEB_GATE)
    const answers = await Promise.all(Array.from({ length: 20 }, () => reserveWeb(open, person)))
    expect(answers.filter(({ result }) => result === 'reserved').length).toBeLessThanOrEqual(3)
    expect(await rows("state = 'dialling'")).toBeLessThanOrEqual(3)
    expect(answers.length).toBe(20)
  })
})

describe('a limit', () => {
  it.each<[string, Partial<WebGateSettings>, string, object]>([
    ['of one visitor', { slugLimits: [{ most: 1, windowMs: minute }] }, 'limit_slug', { slug: 'other' }],
    [
      'of one address',
      { addressLimits: [{ most: 1, windowMs: minute }] },
      'limit_address',
      { address: '203.0.113.2' },
    ],
    [
      'of one network',
      { networkLimits: [{ most: 1, windowMs: minute }] },
      'limit_network',
      { address: '198.51.100.1' },
    ],
  ])('%s holds for that one alone', async (_, changes, refusal, other) => {
    const open = desk(changes)
    expect(await reserveWeb(open, person)).toMatchObject({ result: 'reserved' })
    await refused(refusal)(reserveWeb(open, person))
    expect(await reserveWeb(open, { ...person, ...other })).toMatchObject({ result: 'reserved' })
    await age(db, '1 minute')
    expect(await reserveWeb(open, person)).toMatchObject({ result: 'reserved' })
  })

  it('of an address is told before that of a visitor, so that who floods one page is known by the address', async () => {
    const one = [{ most: 1, windowMs: minute }]
    const open = desk({ addressLimits: one, slugLimits: one })
    expect(await reserveWeb(open, person)).toMatchObject({ result: 'reserved' })
    for (let time = 0; time < 20; time++) await refused('limit_address')(reserveWeb(open, person))
    const request = new Request('http://localhost/', { headers: { [ADDRESS_HEADER]: person.address } })
    expect(open.webCalls.refusedLately(request)).toMatchObject({ code: 'call_refused', status: 429 })
  })

  it('of a visitor and of starts counts no call that nobody joined; those of an address and a network do', async () => {
    const three = [{ most: 3, windowMs: minute }]
    const open = desk({ slugLimits: three, startLimits: three })
    const unjoined =
      "update call_desk.call_requests set state = 'ended', outcome = 'silence', ended_at = now()"
    for (let time = 0; time < 4; time++) {
      expect(await reserveWeb(open, person)).toMatchObject({ result: 'reserved' })
      await db.exec(unjoined)
    }
    const lifetime = desk({ slugLimits: [{ most: 3, windowMs: Number.POSITIVE_INFINITY }] })
    expect(await reserveWeb(lifetime, person)).toMatchObject({ result: 'reserved' })
    await db.exec(unjoined)
    await refused('limit_address')(reserveWeb(desk({ addressLimits: three }), person))
    await refused('limit_network')(reserveWeb(desk({ networkLimits: three }), { address: '203.0.113.9' }))
    await db.exec('update call_desk.call_requests set in_progress_at = now()')
    await refused('limit_slug')(reserveWeb(open, person))
    await refused('limit_slug')(reserveWeb(lifetime, person))
  })

  it('of a visitor holds for all that are not known together', async () => {
    const open = desk({ slugLimits: [{ most: 1, windowMs: minute }] })
    expect(await reserveWeb(open, { slug: undefined })).toMatchObject({ result: 'reserved' })
    for (const slug of [undefined, 'x'.repeat(201), 'nul\0'])
      await refused('limit_slug')(reserveWeb(open, { slug }))
  })

  it('of starts and of calls at once holds for all', async () => {
    const starts = desk({ startLimits: [{ most: 1, windowMs: minute }] })
    expect(await reserveWeb(starts, person)).toMatchObject({ result: 'reserved' })
    await refused('limit_starts')(reserveWeb(starts, { slug: 'other', address: '198.51.100.1' }))
    await clearDesk(db)
    const places = desk({ concurrent: 1 })
    const call = await reservedWeb(places, person)
    await refused('limit_concurrent')(reserveWeb(places, { slug: 'other', address: '198.51.100.1' }))
    await call.failed()
    expect(await reserveWeb(places, person)).toMatchObject({ result: 'reserved' })
  })

  it('of calls at once leaves half of the places to other networks', async () => {
    const open = desk({ addressConcurrent: 3, concurrent: 8 })
    for (let place = 0; place < 4; place++)
      expect(await reserveWeb(open, { address: `203.0.113.${place}` })).toMatchObject({ result: 'reserved' })
    await refused('limit_network')(reserveWeb(open, { address: '203.0.113.9' }))
    expect(await reserveWeb(open, { address: '198.51.100.1' })).toMatchObject({ result: 'reserved' })
  })

  it('of calls at once leaves each further network half of what is left, and one while there is any', async () => {
    const open = desk({ concurrent: 20 })
    const held = []
    for (let network = 1; network < 9; network++) {
      let calls = 0
      while ((await reserveWeb(open, { address: `203.0.${network}.${calls}` })).result === 'reserved') calls++
      held.push(calls)
    }
    expect(held).toEqual([10, 5, 2, 1, 1, 1, 0, 0])
  })

  it('of calls at once leaves half of the platform’s places, where these are fewer', async () => {
    const places = [4]
    const open = webDeskOf(
      db,
      { addressConcurrent: 3, concurrent: 20 },
      { places: async () => places[0] ?? 0 },
    )
    const held = async (network: number) => {
      let calls = 0
      while ((await reserveWeb(open, { address: `203.0.${network}.${calls}` })).result === 'reserved') calls++
      return calls
    }
    expect(await held(1)).toBe(2)
    await refused('limit_network')(reserveWeb(open, { address: '203.0.1.9' }))
    expect([await held(2), await held(3)]).toEqual([1, 1])
    places[0] = 8
    expect(await held(1)).toBe(1)
  })

  it('of calls at once lets none begin while the platform’s places cannot be told', async () => {
    const open = webDeskOf(db, { concurrent: 20 }, { places: () => Promise.reject(new Error('no database')) })
    expect(await reserveWeb(open, person)).toMatchObject({
      result: 'refused',
      code: 'unavailable',
      status: 503,
    })
  })

  it.each([
    ['whose address is not known', {}],
    ['of this machine', { address: '127.0.0.1' }],
  ])('of calls at once has no share for clients %s', async (_, anybody) => {
    const open = desk({ concurrent: 4 })
    for (let place = 0; place < 4; place++)
      expect(await reserveWeb(open, anybody)).toMatchObject({ result: 'reserved' })
    await refused('limit_concurrent')(reserveWeb(open, anybody))
  })

  it('of calls at once counts none that must be over, whatever was heard of it', async () => {
    const open = desk({ concurrent: 1, maxSeconds: 60 })
    await reservedWeb(open, person)
    await age(db, '100 seconds')
    await refused('limit_concurrent')(reserveWeb(open, { address: '198.51.100.1' }))
    await age(db, '21 seconds')
    expect(await reserveWeb(open, person)).toMatchObject({ result: 'reserved' })
  })

  it('counts nothing of addresses where the desk is told of none', async () => {
    const open = deskOf(db, 'http://127.0.0.1:1', { webGate: DEFAULT_WEB_GATE })
    for (let place = 0; place < 4; place++)
      expect(await reserveWeb(open)).toMatchObject({ result: 'reserved' })
  })
})

describe('money', () => {
  const priced = { minutePrice: 200_000, maxSeconds: 600 }

  it('is reserved for the longest call, and none where calls cost nothing', async () => {
    await reserveWeb(desk(priced))
    expect(await webMoney(db)).toEqual([{ reserved: 2_000_000, spent: null }])
    await clearDesk(db)
    await reserveWeb(desk({ minutePrice: 0 }))
    expect(await webMoney(db)).toEqual([])
  })

  it.each(['dayBudget', 'monthBudget'] as const)('is never spent beyond the %s', async (name) => {
    const open = desk({ ...priced, [name]: 3_999_999 })
    const first = await reservedWeb(open, person)
    // Another network's: one network alone may have no more than half.
    await refused('budget_exhausted', 403)(reserveWeb(open, { address: '198.51.100.1' }))
    await first.failed()
    expect(await webMoney(db)).toEqual([{ reserved: 2_000_000, spent: 0 }])
    expect(await reserveWeb(open, { address: '198.51.100.1' })).toMatchObject({ result: 'reserved' })
  })

  it('holds where calls are simulated and an engine costs money, and no limit does', async () => {
    const open = desk({ ...DEFAULT_WEB_GATE, mode: 'simulated', dayBudget: 8_000_000 })
    for (let place = 0; place < 4; place++)
      expect(await reserveWeb(open, person)).toMatchObject({ result: 'reserved' })
    await refused('budget_exhausted', 403)(reserveWeb(open, person))
  })

  it('of phone calls and of browser calls are two accounts', async () => {
    const both = deskOf(db, 'http://127.0.0.1:1', {
      gate: { ...openGate, dayBudget: 750_000 },
      webGate: { ...openWebGate, ...priced, dayBudget: 2_000_000 },
    })
    expect(await reserveWeb(both)).toMatchObject({ result: 'reserved' })
    expect(await ask(both)).toMatchObject({ status: 202 })
    expect(await reserveWeb(both)).toMatchObject({ result: 'refused' })
    expect(await ask(both, { phone: '+14155552672' })).toMatchObject({ status: 403 })
  })
})

describe('the visitor whom a page names', () => {
  /** What is stored of a call that names this visitor, where `acme` is the only one. */
  async function storedSlug(slug: string, options: Partial<CallDeskOptions> = {}) {
    await reservedWeb(deskOf(db, 'http://127.0.0.1:1', { webGate: openWebGate, ...options }), { slug })
    const { rows } = await db.query<{ slug: string }>('select slug from call_desk.call_requests')
    return rows.map((row) => row.slug)
  }

  it('is stored as the visitor is, in whatever case the page has it', async () => {
    expect(await storedSlug('ACME')).toEqual(['acme'])
  })

  it.each(['nobody', '(test)', 'Pay at https://evil.example now', 'a\0b', 'x'.repeat(10_000)])(
    'is not stored where there is none such: %.20s',
    async (slug) => {
      expect(await storedSlug(slug)).toEqual([''])
    },
  )

  it('is looked up only where somebody may have the slug', async () => {
    const findVisitor = vi.fn(async () => null)
    await storedSlug('x'.repeat(201), { findVisitor })
    expect(findVisitor).not.toHaveBeenCalled()
  })

  it.each([
    ['fails', () => Promise.reject(new Error('away'))],
    ['does not end', () => new Promise<null>(() => {})],
  ])('is not known where the look-up %s, and the call begins', async (_, findVisitor) => {
    expect(await storedSlug('acme', { findVisitor, timings: { lookupMs: 30 } })).toEqual([''])
  })
})

describe('a simulated gate', () => {
  it('knows no limits but the pause', async () => {
    const open = deskOf(db, 'http://127.0.0.1:1', { webGate: SIMULATED_WEB_GATE, addressOf })
    for (let place = 0; place < 20; place++)
      expect(await reserveWeb(open, person)).toMatchObject({ result: 'reserved' })
    await pauseCalls(db)
    await refused('paused', 403)(reserveWeb(open, person))
    await resumeCalls(db)
    expect(await reserveWeb(open, person)).toMatchObject({ result: 'reserved' })
  })
})

describe('phone calls and browser calls', () => {
  it('count for nothing at each other’s limits', async () => {
    const one = [{ most: 1, windowMs: minute }]
    const both = deskOf(db, 'http://127.0.0.1:1', {
      gate: {
        ...openGate,
        slugLimits: one,
        slugConcurrent: 1,
        addressLimits: one,
        addressNumbers: { most: 2, windowMs: minute, blockMs: minute },
        networkLimits: one,
        startLimits: one,
        concurrent: 1,
      },
      webGate: {
        ...openWebGate,
        addressLimits: one,
        networkLimits: one,
        slugLimits: one,
        startLimits: one,
        concurrent: 1,
      },
      addressOf,
    })
    expect(await reserveWeb(both, person)).toMatchObject({ result: 'reserved' })
    expect(await ask(both, person)).toMatchObject({ status: 202 })
    expect(await reserveWeb(both, person)).toMatchObject({ result: 'refused' })
    expect(await ask(both, { ...person, phone: '+14155552672' })).toMatchObject({ status: 403 })
  })

  it('are two floods: one of refused browser calls stores few rows, and closes phone calls to nobody', async () => {
    const open = desk({
      addressLimits: [{ most: 1, windowMs: minute }],
      startLimits: [{ most: 5, windowMs: minute }],
    })
    await reserveWeb(open, person)
    for (let place = 0; place < 25; place++) await reserveWeb(open, person)
    expect(await rows("refusal = 'limit_address'")).toBe(20)
    await db.exec(`insert into call_desk.call_requests (kind, slug, body_hash, state, refusal, address, network)
      select 'web', 'acme', '', 'refused', 'limit_starts', '10.0.' || n || '.1', '10.0.' || n || '.0/24' from generate_series(1, 279) n`)
    for (let place = 0; place < 5; place++) await reserveWeb(open, { address: `198.51.${place}.1` })
    expect(await rows("state = 'refused'")).toBe(300)
    const phone = deskOf(db, 'http://127.0.0.1:1', { addressOf })
    expect(await ask(phone, person)).toMatchObject({ status: 202 })
    const fullPhone = desk()
    expect(await ask(fullPhone, { ...person, phone: '+14155552672' })).toMatchObject({ status: 202 })
  })

  it('leave no row of a budget that is spent, once there are enough of them', async () => {
    await db.exec(`insert into call_desk.call_requests (kind, slug, body_hash, state, refusal)
      select 'web', 'acme', '', 'refused', 'limit_starts' from generate_series(1, 300)`)
    const open = desk({ minutePrice: 1, dayBudget: 1 })
    expect(await reserveWeb(open)).toMatchObject({ result: 'refused', status: 403 })
    expect(await rows()).toBe(300)
  })
})

describe('a browser call', () => {
  it('does not begin while calls are paused, nor while the database is away', async () => {
    const open = desk()
    await pauseCalls(db)
    await refused('paused', 403)(reserveWeb(open, person))
    const away = deskOf(
      { ...db, transaction: () => Promise.reject(new Error('away')) },
      'http://127.0.0.1:1',
      {},
    )
    expect(await reserveWeb(away)).toEqual({
      result: 'refused',
      code: 'unavailable',
      status: 503,
      retryAfterSeconds: 5,
    })
  })

  it('waits in line three times from one address, and no more', async () => {
    const open = desk()
    let release = () => {}
    const held = db.transaction(
      () =>
        new Promise<void>((resolve) => {
          release = resolve
        }),
    )
    const waiting = Array.from({ length: 3 }, () => reserveWeb(open, person))
    expect(await reserveWeb(open, person)).toMatchObject({ result: 'refused', status: 429 })
    release()
    await held
    expect(await Promise.all(waiting)).toMatchObject(waiting.map(() => ({ result: 'reserved' })))
    expect(await reserveWeb(open, person)).toMatchObject({ result: 'reserved' })
  })

  it('waits in line 24 times from one network, of however many addresses, and takes turns with others', async () => {
    const open = desk()
    let release = () => {}
    const held = db.transaction(
      () =>
        new Promise<void>((resolve) => {
          release = resolve
        }),
    )
    const waiting = Array.from({ length: 110 }, (_, place) =>
      reserveWeb(open, { slug: 'acme', address: `2001:db8:7:${(place + 1).toString(16)}::1` }),
    )
    const other = reserveWeb(open, person)
    release()
    await held
    const statuses = (await Promise.all(waiting)).map(({ result }) => result)
    expect(statuses.filter((result) => result === 'reserved')).toHaveLength(24)
    expect(await other).toMatchObject({ result: 'reserved' })
    const stored = await db.query('select address from call_desk.call_requests order by created_at')
    expect(stored.rows.findIndex(({ address }) => address === person.address)).toBe(1)
  })
})

/** Ten minutes cost two dollars, and there are ten calls a day. */
const CHATS = { ...openWebGate, minutePrice: 200_000, maxSeconds: 600, dayBudget: 20_000_000 }
const TURN = 24
const TURN_COST = 80_000
const of = (network: number) => ({ address: `203.0.${network}.1` })

/** A chat of somebody in this network. */
async function chat(open: Parameters<typeof reserveWeb>[0], network: number) {
  const id = randomUUID()
  await (await reservedWeb(open, of(network))).started(id, TURN)
  return id
}

describe('a chat', () => {
  it('pays for its turns, and keeps nobody’s call waiting for what it has not said', async () => {
    const open = webDeskOf(db, CHATS)
    for (let network = 0; network < 10; network++) await chat(open, network)
    expect(await webMoney(db)).toEqual(Array(10).fill({ reserved: 2_000_000, spent: TURN_COST }))
    expect(await reserveWeb(open, of(20))).toMatchObject({ result: 'reserved' })
  })

  it('takes turns with money of its network, which has half of what others leave', async () => {
    const open = webDeskOf(db, { ...CHATS, dayBudget: 2_000_000 })
    const id = await chat(open, 1)
    let turns = 1
    while (await open.webCalls.chats.payTurn(id, TURN)) turns += 1
    expect(turns).toBe(Math.floor(1_000_000 / TURN_COST))
    const { rows } = await db.query('select distinct coalesce(transfer_of, request_id) from call_desk.ledger')
    expect(rows).toHaveLength(1)
  })

  it('takes no turn that the budget does not hold', async () => {
    const open = webDeskOf(db, { ...CHATS, dayBudget: 2_000_000 })
    const id = await chat(open, 1)
    await db.exec(`update call_desk.ledger set reserved = 1950000, spent = null`)
    await db.exec('update call_desk.call_requests set network = null')
    expect(await open.webCalls.chats.payTurn(id, TURN)).toBe(false)
    expect(await webMoney(db)).toEqual([{ reserved: 1_950_000, spent: null }])
  })

  it('costs nothing where calls cost nothing', async () => {
    const open = webDeskOf(db, { ...CHATS, minutePrice: 0 })
    const id = await chat(open, 1)
    expect(await open.webCalls.chats.payTurn(id, TURN)).toBe(true)
    expect(await webMoney(db)).toEqual([])
  })
})
