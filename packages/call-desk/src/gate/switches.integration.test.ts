import type { Db } from '@heyline/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDeskDb, rowOf } from '../testing/desk.js'
import { clearDesk } from '../testing/gate-desk.js'
import { pauseCalls, readSwitches, resumeCalls, SWITCHES_CHANNEL, tripBreaker } from './switches.js'

let db: Db
beforeAll(async () => {
  db = await openDeskDb()
})
afterAll(() => db.close())
beforeEach(() => clearDesk(db))

const audit = async () => (await db.query('select action, detail from call_desk.audit order by id')).rows

async function insert(state: string, phone: string): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    "insert into call_desk.call_requests (phone, slug, state, body_hash, refusal) values ($1, 'acme', $2, '', 'dnc') returning id",
    [phone, state],
  )
  return rows[0]?.id ?? ''
}

const listen = async () => {
  const heard: string[] = []
  return { heard, stop: await db.listen(SWITCHES_CHANNEL, (payload) => heard.push(payload)) }
}

describe('a pause', () => {
  it('stands until it is lifted, and is audited once', async () => {
    expect(await readSwitches(db)).toEqual({ pausedAt: null, breakerAt: null, breakerReason: null })
    expect(await pauseCalls(db)).toBe(0)
    const { pausedAt } = await readSwitches(db)
    expect(pausedAt).toBeInstanceOf(Date)
    await pauseCalls(db)
    expect((await readSwitches(db)).pausedAt).toEqual(pausedAt)
    expect(await resumeCalls(db)).toBe(true)
    expect((await readSwitches(db)).pausedAt).toBeNull()
    expect(await resumeCalls(db)).toBe(false)
    expect(await audit()).toMatchObject([
      { action: 'calls_paused', detail: { inFlight: 0 } },
      { action: 'calls_resumed', detail: { breakerReason: null } },
    ])
  })

  it('has every call in flight hung up, and no other', async () => {
    const states = ['queued', 'dialling', 'ringing', 'in-progress', 'ended', 'refused', 'failed']
    const ids = await Promise.all(states.map((state, place) => insert(state, `+1415555000${place}`)))
    expect(await pauseCalls(db)).toBe(4)
    const reasons = await Promise.all(ids.map(async (id) => (await rowOf(db, id)).hang_up_reason))
    expect(reasons).toEqual(['paused', 'paused', 'paused', 'paused', null, null, null])
    expect((await rowOf(db, ids[0] ?? '')).hang_up_at).toBeInstanceOf(Date)
    expect((await rowOf(db, ids[4] ?? '')).hang_up_at).toBeNull()
  })

  it('has a call hung up of which nobody knows whether it was placed, or how it fares', async () => {
    const ids = await Promise.all(['+14155550001', '+14155550002'].map((phone) => insert('unknown', phone)))
    const recorded = await insert('unknown', '+14155550003')
    await db.query("update call_desk.call_requests set platform_call_id = 'call-1' where id = $1", [ids[0]])
    await db.query('update call_desk.call_requests set recorded_at = now() where id = $1', [recorded])
    expect(await pauseCalls(db)).toBe(2)
    for (const id of ids)
      expect(await rowOf(db, id)).toMatchObject({ hang_up_reason: 'paused', hang_up_at: expect.any(Date) })
    expect((await rowOf(db, recorded)).hang_up_at).toBeNull()
  })

  it('and its end are told to all processes', async () => {
    const { heard, stop } = await listen()
    await pauseCalls(db)
    await resumeCalls(db)
    await expect.poll(() => heard).toEqual(['paused', 'hang-up', 'resumed'])
    await stop()
  })
})

describe('the breaker', () => {
  it('opens once, is audited and told, and closes by hand', async () => {
    const { heard, stop } = await listen()
    expect(await db.transaction((tx) => tripBreaker(tx, 'failures'))).toBe(true)
    expect(await db.transaction((tx) => tripBreaker(tx, 'longest'))).toBe(false)
    expect(await readSwitches(db)).toMatchObject({ breakerAt: expect.any(Date), breakerReason: 'failures' })
    expect(await audit()).toEqual([{ action: 'breaker_tripped', detail: { reason: 'failures' } }])
    expect(await resumeCalls(db)).toBe(true)
    expect(await readSwitches(db)).toMatchObject({ breakerAt: null, breakerReason: null })
    await expect.poll(() => heard).toEqual(['breaker', 'resumed'])
    await stop()
  })
})
