import type { Db } from '@heyline/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openDeskDb } from '../testing/desk-db.js'
import { storeCall } from '../testing/stored-call.js'
import { type CallOffice, createCallOffice } from './call-office.js'
import type { CallChange } from './call-record.js'

let db: Db
let office: CallOffice
beforeAll(async () => {
  db = await openDeskDb()
  office = createCallOffice(db)
})
afterAll(() => db.close())
beforeEach(() =>
  db.exec(`delete from call_desk.call_requests; delete from call_desk.ledger; delete from call_desk.audit;
    delete from call_desk.slug_resets; update call_desk.switches set paused_at = null, breaker_at = null`),
)

const ended = {
  outcome: 'completed',
  ended_reason: 'customer-ended-call',
  in_progress_at: '2026-11-20T10:00:05Z',
  ended_at: '2026-11-20T10:01:28Z',
  cost_microusd: 210_000,
  transcript: 'AI: Hello\nUser: Bye',
  summary: 'Said hello.',
}
const at = (minute: number) => `2026-11-20T10:${String(minute).padStart(2, '0')}:00.123456Z`

describe('the list', () => {
  it('has the newest first, with the last two digits of each number', async () => {
    const first = await storeCall(db, { ...ended, created_at: at(1) })
    const second = await storeCall(db, {
      created_at: at(2),
      state: 'refused',
      refusal: 'dnc',
      phone: '+14155550100',
    })
    expect(await office.list({ limit: 10 })).toEqual({
      calls: [
        {
          id: second,
          createdAt: '2026-11-20T10:02:00.123Z',
          kind: 'phone',
          direction: 'outbound',
          phone: '…00',
          slug: 'acme',
          state: 'refused',
          refusal: 'dnc',
          outcome: null,
          inProgressAt: null,
          seconds: null,
          costMicrousd: null,
          reservedMicrousd: null,
          hangUpReason: null,
        },
        expect.objectContaining({
          id: first,
          phone: '…71',
          outcome: 'completed',
          seconds: 83,
          costMicrousd: 210_000,
        }),
      ],
      next: null,
    })
  })

  it('goes on page by page, also among requests of the same time', async () => {
    const ids = []
    for (let index = 0; index < 7; index++) ids.push(await storeCall(db, { created_at: at(index % 2) }))
    const seen: string[] = []
    for (let after: string | undefined; ; ) {
      const { calls, next } = await office.list({ limit: 2, after })
      expect(calls.length).toBeLessThanOrEqual(2)
      seen.push(...calls.map(({ id }) => id))
      if (next === null) break
      after = next
    }
    expect(seen.toSorted()).toEqual(ids.toSorted())
  })

  it('is narrowed by state, slug and time', async () => {
    const old = await storeCall(db, { created_at: at(1) })
    const failed = await storeCall(db, { created_at: at(2), state: 'failed', slug: 'other' })
    const ids = async (filters: object) =>
      (await office.list({ limit: 10, ...filters })).calls.map(({ id }) => id)
    expect(await ids({ state: 'failed' })).toEqual([failed])
    expect(await ids({ slug: 'acme' })).toEqual([old])
    expect(await ids({ slug: 'ACME' })).toEqual([old])
    expect(await ids({ since: at(2) })).toEqual([failed])
    expect(await ids({ state: 'failed', slug: 'acme' })).toEqual([])
  })
})

describe('one request', () => {
  it('is found by the beginning of its id, with all that is stored', async () => {
    const id = await storeCall(db, ended)
    expect(await office.show(id.slice(0, 6))).toMatchObject({
      id,
      phone: '+14155552671',
      endedReason: 'customer-ended-call',
      transcript: 'AI: Hello\nUser: Bye',
      summary: 'Said hello.',
      seconds: 83,
      endedAt: '2026-11-20T10:01:28.000Z',
      recordedAt: null,
    })
    expect(await office.show(id.toUpperCase())).toMatchObject({ id })
  })

  it('is not found by a beginning that is too short, that is of none, or of several', async () => {
    const ids = ['abcdef00', 'abcdef01'].map((start) => `${start}-0000-4000-8000-000000000000`)
    for (const id of ids) await storeCall(db, { id })
    await expect(office.show('abcde')).rejects.toMatchObject({ code: 'invalid_id' })
    await expect(office.show("abcdef' or")).rejects.toMatchObject({ code: 'invalid_id' })
    await expect(office.show('abcdef1')).rejects.toMatchObject({ code: 'call_not_found' })
    await expect(office.show('abcdef0')).rejects.toMatchObject({ code: 'several_calls' })
    expect(await office.show('abcdef01')).toMatchObject({ id: ids[1] })
  })
})

it('costs what the ledger says, else what the platform says, and up to what is set aside until then', async () => {
  const settled = await storeCall(db, { cost_microusd: 900_000 })
  const told = await storeCall(db, { cost_microusd: 210_000 })
  const byMinutes = await storeCall(db)
  const open = await storeCall(db, { state: 'in-progress', phone: '+14155550101' })
  await db.query(
    `insert into call_desk.ledger (request_id, at, reserved, spent) values ($1, now(), 750000, 500000), ($2, now(), 750000, 250000), ($3, now(), 750000, null)`,
    [settled, byMinutes, open],
  )
  const costs = new Map(
    (await office.list({ limit: 10 })).calls.map(({ id, costMicrousd, reservedMicrousd }) => [
      id,
      [costMicrousd, reservedMicrousd],
    ]),
  )
  expect([settled, byMinutes, told, open].map((id) => costs.get(id))).toEqual([
    [500_000, null],
    [250_000, null],
    [210_000, null],
    [null, 750_000],
  ])
  expect(await office.show(open)).toMatchObject({ costMicrousd: null, reservedMicrousd: 750_000 })
})

const store450 = () =>
  db.exec(`insert into call_desk.call_requests (phone, slug, state, body_hash, created_at)
    select '+14155552671', 'acme', 'ended', 'x', '2026-11-20T10:00Z'::timestamptz + (n / 3) * interval '1 s' from generate_series(1, 450) n`)

it('exports every request once, the oldest first', async () => {
  await store450()
  const parts = []
  for await (const part of office.export()) parts.push(part)
  const calls = parts.flat()
  expect(parts.map((part) => part.length)).toEqual([200, 200, 50])
  expect(new Set(calls.map(({ id }) => id)).size).toBe(450)
  expect(calls.map(({ createdAt }) => createdAt)).toEqual(calls.map(({ createdAt }) => createdAt).toSorted())
})

it('exports to the end, also where retention removes requests meanwhile', async () => {
  await store450()
  let exported = 0
  for await (const part of office.export()) {
    exported += part.length
    await db.query(
      'delete from call_desk.call_requests where id in (select jsonb_array_elements_text($1::jsonb)::uuid)',
      [part.map(({ id }) => id)],
    )
  }
  expect(exported).toBe(450)
})

describe('following', () => {
  it('tells each change of a state once, in order, also of states that were passed between two looks', async () => {
    const before = await storeCall(db, { state: 'in-progress', in_progress_at: at(0) })
    await storeCall(db, { phone: '+14155550101' })
    const left = new AbortController()
    const parts = office.follow(left.signal)[Symbol.asyncIterator]()
    expect((await parts.next()).value).toEqual([])
    const told: unknown[] = []
    const hears = async (count: number) => {
      while (told.length < count)
        told.push(
          ...((await parts.next()).value ?? []).map((change: CallChange) => [change.id, change.state]),
        )
    }

    await db.query(
      `update call_desk.call_requests set state = 'ended', ended_at = now(), updated_at = now() where id = $1`,
      [before],
    )
    await hears(1)
    const quick = await storeCall(db, { phone: '+14155550102', state: 'queued' })
    await db.query(
      `update call_desk.call_requests set state = 'ringing', dialling_at = now(), ringing_at = now(), updated_at = now() where id = $1`,
      [quick],
    )
    await hears(4)
    const refused = await storeCall(db, {
      phone: '+14155550103',
      state: 'refused',
      refusal: 'dnc',
      created_at: at(5),
      refused_at: at(5),
    })
    await hears(5)
    expect(told).toEqual([
      [before, 'ended'],
      [quick, 'queued'],
      [quick, 'dialling'],
      [quick, 'ringing'],
      [refused, 'refused'],
    ])
    left.abort()
    expect((await parts.next()).done).toBe(true)
  })
})

describe('the switches', () => {
  it('pauses at once, has calls in flight hung up, and resumes', async () => {
    const running = await storeCall(db, { state: 'in-progress' })
    expect(await office.pause()).toMatchObject({ pausedAt: expect.any(String), inFlight: 1 })
    expect((await office.list({ limit: 1 })).calls).toMatchObject([{ id: running, hangUpReason: 'paused' }])
    expect((await office.show(running)).hangUpReason).toBe('paused')
    await db.exec("update call_desk.switches set breaker_at = now(), breaker_reason = 'failures'")
    expect(await office.status()).toMatchObject({ breaker: { at: expect.any(String), reason: 'failures' } })
    const resumed = await office.resume()
    expect(resumed).toMatchObject({ pausedAt: null, breaker: null })
    expect(resumed.audit.map(({ action }) => action)).toEqual(['calls_resumed', 'calls_paused'])
  })

  it('says what was spent and reserved, and what came of the requests of a day', async () => {
    await db.exec(`insert into call_desk.ledger (request_id, at, reserved, spent) values
      (gen_random_uuid(), now() - interval '1 hour', 750000, 210000), (gen_random_uuid(), now(), 500000, null),
      (gen_random_uuid(), now() - interval '25 hours', 300000, 100000), (gen_random_uuid(), now() - interval '30 days', 40000, null),
      (gen_random_uuid(), now() - interval '32 days', 9, 9)`)
    await storeCall(db, { outcome: 'completed' })
    await storeCall(db, { outcome: 'completed' })
    await storeCall(db, { state: 'queued' })
    await storeCall(db, { state: 'refused', refusal: 'limit_number' })
    await storeCall(db, { outcome: 'busy', created_at: at(0).replace('2026', '2025') })
    expect(await office.status()).toMatchObject({
      day: { spent: 210_000, reserved: 500_000 },
      month: { spent: 310_000, reserved: 540_000 },
      requests: { total: 4, outcomes: { completed: 2, queued: 1 }, refusals: { limit_number: 1 } },
      inFlight: 1,
    })
  })

  it("resets a visitor's lifetime limit, and not that of a slug which was never called", async () => {
    await storeCall(db, { slug: 'Acme' })
    expect(await office.resetSlug('Acme')).toEqual({ slug: 'Acme' })
    await db.exec("update call_desk.slug_resets set at = now() - interval '1 day'")
    expect(await office.resetSlug('ACME')).toEqual({ slug: 'Acme' })
    const { rows } = await db.query(
      "select slug, at > now() - interval '1 hour' as fresh from call_desk.slug_resets",
    )
    expect(rows).toEqual([{ slug: 'Acme', fresh: true }])
    expect((await office.status()).audit[0]).toMatchObject({ action: 'slug_reset', detail: { slug: 'Acme' } })
    await expect(office.resetSlug('acne')).rejects.toMatchObject({ code: 'slug_not_called' })
  })
})
