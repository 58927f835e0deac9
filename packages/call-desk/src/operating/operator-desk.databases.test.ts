import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { PlatformClient } from '@heyline/platform-client'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_GATE } from '../gate/gate-settings.js'
import { endListedCalls, pauseCalls, resumeCalls } from '../gate/switches.js'
import { clearDesk } from '../testing/gate-desk.js'
import { storeCall } from '../testing/stored-call.js'
import { watchReads } from '../testing/watched-reads.js'
import { DEFAULT_WEB_GATE } from '../web-calls/web-gate-settings.js'
import { readLimitUse } from './limit-use.js'
import { createOperatorDesk, type OperatorDesk } from './operator-desk.js'

const nothingElse = async () => {}

describe.each(DATABASES)('the desk of an operator on $name', ({ open }) => {
  let db: Db
  let desk: OperatorDesk
  beforeAll(async () => {
    db = await open()
    desk = createOperatorDesk(db, new PlatformClient({ token: 'x', baseUrl: 'http://127.0.0.1:9' }))
  })
  afterAll(() => db.close())
  beforeEach(async () => {
    await clearDesk(db)
    await db.exec('delete from call_desk.inbox')
  })
  const rowOf = async (id: string) =>
    (await db.query('select * from call_desk.call_requests where id = $1', [id])).rows[0]
  const spend = (id: string, columns = '') =>
    db.query(
      `insert into call_desk.ledger (request_id, at, reserved, spent, kind) values ($1, now() ${columns}, 750000, 250000, 'phone')`,
      [id],
    )

  it('reads none of what was refused for the limits, a pause and the do-not-call list', async () => {
    await db.exec(`
      insert into call_desk.call_requests (phone, slug, body_hash, state, refusal, created_at)
      select '+14155552671', 'acme', 'hash', 'refused', 'limit_address', now() - interval '20 days' from generate_series(1, 3000);
      analyze call_desk.call_requests`)
    const running = await storeCall(db, { state: 'in-progress' })
    const perhaps = await storeCall(db, { state: 'unknown', phone: '+14155550100', recorded_at: null })
    const { watched, most } = watchReads(db)
    expect(await readLimitUse(watched, DEFAULT_GATE, DEFAULT_WEB_GATE)).toMatchObject({ concurrent: [1] })
    await endListedCalls(watched)
    expect(await pauseCalls(watched)).toBe(2)
    expect(most()).toBeLessThan(100)
    for (const id of [running, perhaps]) expect(await rowOf(id)).toMatchObject({ hang_up_reason: 'paused' })
    await resumeCalls(db)
  })

  it('has one call ended, and no other', async () => {
    const one = await storeCall(db, { state: 'in-progress' })
    const other = await storeCall(db, { state: 'ringing', phone: '+14155550100' })
    expect(await desk.end(one.slice(0, 8))).toEqual({ id: one })
    expect(await rowOf(one)).toMatchObject({ hang_up_reason: 'operator', hang_up_at: expect.any(Date) })
    expect(await rowOf(other)).toMatchObject({ hang_up_reason: null, hang_up_at: null })
  })

  it('keeps the first reason why a call is ended', async () => {
    const id = await storeCall(db, { state: 'in-progress', hang_up_reason: 'paused', hang_up_at: new Date() })
    await desk.end(id)
    expect(await rowOf(id)).toMatchObject({ hang_up_reason: 'paused' })
  })

  it.each(['ended', 'failed', 'refused'])('has nothing to end of a call that is %s', async (state) => {
    const id = await storeCall(db, { state, refusal: state === 'refused' ? 'dnc' : null })
    await expect(desk.end(id)).rejects.toMatchObject({ code: 'call_over' })
  })

  it('removes a record for ever, and keeps the money and the lifetime count', async () => {
    const id = await storeCall(db, { platform_call_id: 'call-1', recorded_at: new Date() })
    const other = await storeCall(db, { platform_call_id: 'call-2' })
    await spend(id)
    await db.query(`insert into call_desk.inbox (id, body) values ('a', $1), ('b', $2)`, [
      '{"call":{"id":"call-1"}}',
      '{"call":{"id":"call-2"}}',
    ])
    await db.query(
      `insert into call_desk.do_not_call (phone, source, request_id) values ('+14155552671', 'caller', $1)`,
      [id],
    )
    const seen: unknown[] = []
    const removed = await desk.remove(id, async (_, call) => {
      seen.push(call)
    })
    expect(removed).toEqual({ id, platformCallId: 'call-1' })
    expect(seen).toEqual([removed])
    expect(await rowOf(id)).toBeUndefined()
    expect(await rowOf(other)).toMatchObject({ id: other })
    expect((await db.query('select spent from call_desk.ledger')).rows).toEqual([{ spent: 250_000 }])
    expect((await db.query('select id from call_desk.inbox')).rows).toEqual([{ id: 'b' }])
    expect((await db.query('select slug, calls from call_desk.slug_totals')).rows).toEqual([
      { slug: 'acme', calls: 1 },
    ])
    expect((await db.query('select request_id from call_desk.do_not_call')).rows).toEqual([
      { request_id: null },
    ])
    await expect(desk.remove(id, nothingElse)).rejects.toMatchObject({ code: 'call_not_found' })
  })

  it('removes nothing while a call may run, or where others can not', async () => {
    for (const columns of [
      { state: 'ringing' },
      { state: 'unknown', sent_at: new Date(), phone: '+14155550100' },
    ])
      await expect(desk.remove(await storeCall(db, columns), nothingElse)).rejects.toMatchObject({
        code: 'call_running',
      })
    const id = await storeCall(db, {})
    const failing = desk.remove(id, () => Promise.reject(new Error('not now')))
    await expect(failing).rejects.toThrow('not now')
    expect(await rowOf(id)).toMatchObject({ id })
  })

  it('says how much of each limit is used: of all, and of the busiest', async () => {
    for (const [phone, minutes] of [
      ['+14155552671', 1],
      ['+14155552671', 30],
      ['+14155550100', 90],
    ] as const)
      await storeCall(db, {
        phone,
        slug: phone,
        address: '192.0.2.1',
        created_at: new Date(Date.now() - minutes * 60_000),
      })
    await storeCall(db, { kind: 'web', phone: null, state: 'in-progress', address: '192.0.2.1' })
    await storeCall(db, { state: 'refused', refusal: 'limit_number', address: '192.0.2.1' })
    await spend(await storeCall(db, { phone: '+14155550101', state: 'dialling', slug: 'busy' }))
    const use = await desk.limitUse(DEFAULT_GATE, DEFAULT_WEB_GATE)
    expect(use).toMatchObject({
      numberLimits: [1, 2, 2, 2],
      slugLimits: [2, null],
      addressLimits: [3, 4],
      startLimits: [expect.any(Number), 4],
      concurrent: [1],
      slugConcurrent: [1],
      dayBudget: [250_000],
      monthBudget: [250_000],
      'web.concurrent': [1],
      'web.addressConcurrent': [1],
      'web.addressLimits': [1, 1],
      'web.dayBudget': [0],
    })
  })

  it('tells the spend day by day, also of days without calls', async () => {
    await spend(await storeCall(db, {}))
    await spend(await storeCall(db, {}), "- interval '1 day'")
    await db.exec(`insert into call_desk.ledger (request_id, at, reserved, kind)
      values (gen_random_uuid(), now(), 500, 'web'), (gen_random_uuid(), now() - interval '40 days', 9, 'web')`)
    const days = await desk.spend(3)
    expect(days).toHaveLength(3)
    expect(days[2]).toEqual({
      day: new Date().toISOString().slice(0, 10),
      phone: { spent: 250_000, reserved: 0 },
      web: { spent: 0, reserved: 500 },
    })
    expect(days[1]).toMatchObject({ phone: { spent: 250_000 }, web: { reserved: 0 } })
    expect(days[0]).toMatchObject({ phone: { spent: 0, reserved: 0 } })
  })

  it('counts refusals by reason, in plain words', async () => {
    const refused = (refusal: string, days: number, columns = {}) =>
      storeCall(db, {
        state: 'refused',
        refusal,
        created_at: new Date(Date.now() - days * 86_400_000),
        ...columns,
      })
    await refused('quiet_hours', 0)
    await refused('quiet_hours', 2)
    await refused('dnc', 40)
    await refused('paused', 0, { kind: 'web', phone: null })
    expect(await desk.refusals()).toEqual([
      {
        kind: 'phone',
        refusal: 'quiet_hours',
        reason: expect.stringMatching(/too early or too late/),
        day: 1,
        month: 2,
      },
      { kind: 'web', refusal: 'paused', reason: expect.stringMatching(/paused/), day: 1, month: 1 },
    ])
  })

  it('counts which numbers are on the do-not-call list', async () => {
    await db.exec("insert into call_desk.do_not_call (phone, source) values ('+14155552671', 'command')")
    expect(await desk.countListed(['+14155552671', '+14155550100'])).toBe(1)
    expect(await desk.countListed([])).toBe(0)
  })
})
