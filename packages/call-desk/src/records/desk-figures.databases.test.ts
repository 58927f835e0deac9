import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storeCall } from '../testing/stored-call.js'
import { readDeskFigures } from './desk-figures.js'

describe.each(DATABASES)('the figures of the desk on $name', ({ open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())

  it('count calls of a day, what waits and for how long, and money, and say what stops calling', async () => {
    expect(await readDeskFigures(db)).toEqual({
      calls: [],
      queue: { length: 0, ageSeconds: 0 },
      inbox: { length: 0, ageSeconds: 0 },
      spend: [],
      paused: false,
      breakerOpen: false,
    })
    const now = Date.now()
    const ago = (seconds: number) => new Date(now - seconds * 1000).toISOString()
    await storeCall(db, { outcome: 'completed' })
    await storeCall(db, { outcome: 'completed', created_at: ago(25 * 3600) })
    await storeCall(db, { state: 'refused', refusal: 'dnc' })
    await storeCall(db, { kind: 'web', phone: null, state: 'in-progress' })
    await storeCall(db, { state: 'in-progress', inbound: true, phone: '+14155550100', platform_call_id: 'a' })
    await storeCall(db, { state: 'queued', phone: '+14155550101', run_at: ago(100) })
    await storeCall(db, { state: 'queued', phone: '+14155550102', run_at: ago(10) })
    await db.query("insert into call_desk.inbox (id, run_at) values ('one', $1)", [ago(50)])
    await db.query(
      `insert into call_desk.ledger (request_id, kind, reserved, spent, at) values
         (gen_random_uuid(), 'phone', 900, 500, now()), (gen_random_uuid(), 'phone', 900, 70, now() - interval '3 days'),
         (gen_random_uuid(), 'phone', 900, null, now())`,
    )
    await db.query('update call_desk.switches set paused_at = now()')
    const { calls, queue, inbox, spend, paused, breakerOpen } = await readDeskFigures(db)
    expect(calls).toHaveLength(4)
    expect(calls).toEqual(
      expect.arrayContaining([
        { kind: 'phone', direction: 'out', state: 'ended', outcome: 'completed', count: 1 },
        { kind: 'web', direction: 'out', state: 'in-progress', outcome: null, count: 1 },
        { kind: 'phone', direction: 'in', state: 'in-progress', outcome: null, count: 1 },
        { kind: 'phone', direction: 'out', state: 'queued', outcome: null, count: 2 },
      ]),
    )
    expect(queue.length).toBe(2)
    expect(queue.ageSeconds).toBeGreaterThan(90)
    expect(inbox.length).toBe(1)
    expect(inbox.ageSeconds).toBeGreaterThan(40)
    expect(spend).toEqual([
      { kind: 'phone', daySpent: 500, dayReserved: 900, monthSpent: 570, monthReserved: 900 },
    ])
    expect([paused, breakerOpen]).toEqual([true, false])
  })
})
