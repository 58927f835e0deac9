import { randomUUID } from 'node:crypto'
import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parsePhoneNumber } from '../call/phone-number.js'
import { UNCONFIRMED } from '../call/unconfirmed.js'
import { checkBreaker } from '../gate/breaker.js'
import { factsStatement, readFacts } from '../gate/gate-facts.js'
import { DEFAULT_GATE } from '../gate/gate-settings.js'
import { isBeyondIncomingShare } from '../gate/incoming-share.js'
import { applyNews } from '../news/call-news.js'
import { deskOf } from '../testing/desk.js'
import { ask, clearDesk, endCalls, openGate } from '../testing/gate-desk.js'
import { watchReads } from '../testing/watched-reads.js'
import { createIncomingCalls } from './incoming-calls.js'

const VICTIM = '+14155552671'
const MINUTE = 250_000
const CALL = 3 * MINUTE

describe.each(DATABASES)('strangers who call us, on $name', ({ open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())
  beforeEach(() => clearDesk(db))

  /** A gate whose only limits are these, and those of all calls to us. */
  const callIn = async (from: string, proven = false, changes: Partial<typeof openGate> = {}) => {
    const gate = createIncomingCalls({
      ...{ db, gate: { ...openGate, ...changes }, timings: { newsMs: 1000 } },
      logger: pino({ level: 'silent' }),
    })
    return (await gate.reserve({ callId: randomUUID(), from, proven })).admitted
  }
  const stranger = (place: number) => `+1202555${String(1000 + place)}`
  const spent = async (cost: number) => {
    await db.query('update call_desk.ledger set spent = $1 where spent is null', [cost])
    await endCalls(db)
    // Their limit of ten in a minute is another matter.
    await db.exec("update call_desk.call_requests set created_at = created_at - interval '10 minutes'")
  }
  const deskWith = (changes: Partial<typeof openGate> = {}) =>
    deskOf(db, 'http://127.0.0.1:1', {
      gate: { ...openGate, ...changes },
      findVisitor: async (slug) => ({ slug }),
    })

  it('leave half of the day’s money to the calls that we place, however many numbers they make up', async () => {
    const budgets = { dayBudget: 10_000_000, monthBudget: 100_000_000 }
    let taken = 0
    while (await callIn(stranger(taken), false, budgets)) {
      taken++
      await spent(MINUTE)
    }
    expect(taken).toBe(8)
    while (await callIn(stranger(taken), true, budgets)) {
      taken++
      await spent(MINUTE)
    }
    expect(taken).toBe(18)
    for (let placed = 0; placed < 6; placed++)
      expect(await ask(deskWith(budgets), { phone: `+1415555${2000 + placed}` })).toMatchObject({
        status: 202,
      })
  })

  it('have half of what the calls that we place leave of the month', async () => {
    await db.query('insert into call_desk.ledger (request_id, at, reserved, spent) values ($1, $2, 0, $3)', [
      randomUUID(),
      new Date(Date.now() - 86_400_000 * 3),
      10_000_000,
    ])
    const monthBudget = 10_000_000 + CALL * 4
    const answers = []
    for (const place of [0, 1, 2]) answers.push(await callIn(stranger(place), true, { monthBudget }))
    expect(answers).toEqual([true, true, false])
  })

  it('under numbers that are not proven have half of that money, or one call', async () => {
    const answers = []
    for (const proven of [false, false, false, true, true, true])
      answers.push(await callIn(stranger(answers.length), proven, { dayBudget: CALL * 8 }))
    expect(answers).toEqual([true, true, false, true, true, false])
    await clearDesk(db)
    expect(await callIn(stranger(0), false, { dayBudget: CALL * 3 })).toBe(true)
    expect(await callIn(stranger(1), false, { dayBudget: CALL * 3 })).toBe(false)
  })

  it('under one number that is not proven leave the money of the others, at the defaults', async () => {
    const { dayBudget, monthBudget } = DEFAULT_GATE
    const budgets = { dayBudget, monthBudget }
    /** How many calls one number gets, if each costs what it may. */
    const calls = async (place: number, cost: number) => {
      let taken = 0
      while (await callIn(stranger(place), false, budgets)) {
        taken++
        await spent(cost)
      }
      return taken
    }
    expect(await calls(0, CALL)).toBe(1)
    expect([await calls(1, CALL), await calls(2, CALL), await calls(3, CALL)]).toEqual([1, 1, 0])
    expect(await callIn(VICTIM, true, budgets)).toBe(true)
    await clearDesk(db)
    // One that hangs up early may call again, and leaves as many.
    expect(await callIn(stranger(0), false, budgets)).toBe(true)
    await spent(MINUTE)
    expect([await calls(0, CALL), await calls(1, CALL), await calls(2, CALL)]).toEqual([1, 1, 1])
    await clearDesk(db)
    // So do two.
    for (const place of [0, 1, 0, 1]) {
      expect(await callIn(stranger(place), false, budgets)).toBe(true)
      await spent(MINUTE)
    }
  })

  it('under two numbers that are not proven do not use up what all such numbers may have', async () => {
    const dayBudget = 40 * CALL
    const taken = [0, 0, 0]
    for (const place of [0, 1, 0, 1, 2])
      while (await callIn(stranger(place), false, { dayBudget })) {
        taken[place] = (taken[place] ?? 0) + 1
        await spent(CALL)
      }
    // Of ten calls the first number has half, the second half of the rest, and so on.
    expect(taken).toEqual([5, 2, 1])
  })

  it('under one number that is not proven leave the money of the month to others, too', async () => {
    const monthBudget = 16 * CALL
    const answers = []
    for (const place of [0, 0, 0, 1]) {
      answers.push(await callIn(stranger(place), false, { monthBudget }))
      await spent(CALL)
    }
    expect(answers).toEqual([true, true, false, true])
  })

  it.each([
    [3, 1],
    [5, 1],
    [8, 2],
  ])('under numbers that are not proven have of %d places %d', async (concurrent, most) => {
    for (let place = 0; place <= most; place++)
      expect(await callIn(stranger(place), false, { concurrent })).toBe(place < most)
    expect(await callIn(VICTIM, true, { concurrent })).toBe(concurrent > 3)
  })

  it('under numbers that are not proven begin half of the calls', async () => {
    let taken = 0
    while (await callIn(stranger(taken))) {
      taken++
      await endCalls(db)
    }
    expect(taken).toBe(5)
    expect(await callIn(VICTIM, true)).toBe(true)
    do await spent(MINUTE)
    while ((await callIn(stranger(taken))) && ++taken)
    expect(taken).toBe(50)
    expect(await callIn(VICTIM, true)).toBe(true)
  })

  it('who never confirm their calls keep nobody out, however many they are', async () => {
    const unconfirmed = async (from: string) => {
      expect(await callIn(from, true)).toBe(true)
      const { rows } = await db.query<{ id: string }>(
        "select platform_call_id as id from call_desk.call_requests where state = 'dialling'",
      )
      await applyNews(
        db,
        {
          callId: rows[0]?.id ?? '',
          state: 'ended',
          record: 'report',
          endedAt: new Date(),
          endedReason: UNCONFIRMED,
          costMicrousd: 0,
        },
        1000,
      )
    }
    for (let call = 0; call < 101; call++) await unconfirmed(call % 3 ? stranger(call) : VICTIM)
    const { rows } = await db.query('select sum(coalesce(spent, reserved))::int as sum from call_desk.ledger')
    expect(rows).toEqual([{ sum: 0 }])
    expect(await callIn(VICTIM, true)).toBe(true)
  })

  it('who never confirm their calls make no question of the gate longer', async () => {
    await db.query(
      `with calls as (
         insert into call_desk.call_requests (phone, slug, body_hash, state, inbound, unproven, ended_reason)
         select '+12025551000', '', 'hash', 'ended', true, true, '${UNCONFIRMED}' from generate_series(1, 3000) returning id)
       insert into call_desk.ledger (request_id, at, reserved, spent, inbound) select id, now(), $1, 0, true from calls`,
      [CALL],
    )
    await db.exec('analyze call_desk.ledger; analyze call_desk.call_requests')
    const { watched, most } = watchReads(db)
    const asked = { caller: { phone: VICTIM, proven: true }, amount: CALL, dayBudget: CALL * 4 }
    expect(await isBeyondIncomingShare(watched, { ...asked, monthBudget: CALL * 4 })).toBe(false)
    const number = parsePhoneNumber(VICTIM)
    if (!number) throw new Error('The number should be one')
    const client = { address: '203.0.113.1', network: '203.0.113.0/24' }
    await readFacts(watched, factsStatement(DEFAULT_GATE), { number, slug: 'acme', client })
    expect(most()).toBeLessThan(100)
  })

  it('have under one number half of what such calls may have, or one call', async () => {
    const dayBudget = CALL * 4
    expect(await callIn(VICTIM, true, { dayBudget })).toBe(true)
    await spent(MINUTE + 1)
    expect(await callIn(VICTIM, true, { dayBudget })).toBe(false)
    expect(await callIn(stranger(1), true, { dayBudget })).toBe(true)
  })

  it('under a number that is not theirs take nothing from whoever has it', async () => {
    for (const _ of [1, 2, 3]) {
      expect(await callIn(VICTIM)).toBe(true)
      await endCalls(db)
    }
    expect(await callIn(VICTIM)).toBe(false)
    expect(await callIn(VICTIM, true)).toBe(true)
    await endCalls(db)
    expect(await callIn(VICTIM, true)).toBe(true)
    expect(await callIn(VICTIM, true)).toBe(false)
  })

  it('under a number that is not theirs do not keep it busy; where it is proven and they are answered they do', async () => {
    const desk = deskWith()
    expect(await callIn(VICTIM)).toBe(true)
    expect(await ask(desk)).toMatchObject({ status: 202 })
    const { rows } = await db.query(
      'select state from call_desk.call_requests where not inbound and phone = $1',
      [VICTIM],
    )
    expect(rows).toEqual([{ state: 'queued' }])
    await endCalls(db)
    expect(await callIn(VICTIM, true)).toBe(true)
    await db.exec(
      "update call_desk.call_requests set state = 'in-progress', in_progress_at = now() where state = 'dialling'",
    )
    await ask(desk)
    const { rows: refused } = await db.query(
      "select refusal from call_desk.call_requests where state = 'refused'",
    )
    expect(refused).toEqual([{ refusal: 'repeated' }])
  })

  it('are on the page of whoever has the number only where that is proven', async () => {
    await ask(deskWith())
    await endCalls(db)
    for (const proven of [false, true]) {
      await callIn(VICTIM, proven)
      await endCalls(db)
    }
    const { rows } = await db.query(
      'select slug, unproven from call_desk.call_requests where inbound order by created_at',
    )
    expect(rows).toEqual([
      { slug: '', unproven: true },
      { slug: 'acme', unproven: false },
    ])
  })

  it('whose call nobody knows the end of close no number', async () => {
    expect(await callIn(VICTIM, true)).toBe(true)
    await db.exec("update call_desk.call_requests set state = 'unknown'")
    expect(await ask(deskWith())).toMatchObject({ status: 202 })
  })

  it('take no place of a page, but one of all', async () => {
    await ask(deskWith())
    await endCalls(db)
    expect(await callIn(VICTIM, true)).toBe(true)
    const other = { phone: '+14155552672' }
    expect(await ask(deskWith({ concurrent: 1 }), other)).toMatchObject({ status: 403 })
    expect(await ask(deskWith({ slugConcurrent: 1, concurrent: 2 }), other)).toMatchObject({ status: 202 })
  })

  it('open no breaker by calls that last as long as they may', async () => {
    for (const place of [0, 1, 2, 3, 4]) await callIn(stranger(place))
    await endCalls(db)
    await db.exec("update call_desk.call_requests set outcome = 'max_duration'")
    expect(await db.transaction((tx) => checkBreaker(tx, DEFAULT_GATE))).toBeUndefined()
  })
})
