import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EVENT_PAYLOADS } from './events/event.js'
import { actAs, recordEvent } from './events/record-event.js'
import { listEngaged, readEngagement } from './reading/engagement.js'
import { findEvent, listEvents } from './reading/list-events.js'
import { createTimeline } from './timeline.js'

describe.each(DATABASES)('the timeline, $name', ({ open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())

  /** What was told of a slug, the oldest first. */
  async function told(slug: string) {
    const { events } = await listEvents(db, { slug, limit: 100 })
    for (const { type, payload } of events) EVENT_PAYLOADS[type].strict().parse(payload)
    return events.toReversed().map(({ type, actor, payload }) => [type, actor, payload])
  }

  /** Who was seen in the same millisecond is listed by slug. */
  const anotherMillisecond = () => setTimeout(2)

  async function requested(slug: string, kind: 'phone' | 'web' = 'phone', state = 'queued', inbound = false) {
    const id = randomUUID()
    const phone = `+1202555${String(Math.floor(Math.random() * 10_000)).padStart(4, '0')}`
    await db.query(
      `insert into call_desk.call_requests (id, kind, phone, slug, body_hash, state, refusal, inbound)
       values ($1, $2, $3, $4, '', $5, $6, $7)`,
      [
        id,
        kind,
        kind === 'phone' ? phone : null,
        slug,
        state,
        state === 'refused' ? 'paused' : null,
        inbound,
      ],
    )
    return id
  }
  const moved = (id: string, changes: string) =>
    db.query(`update call_desk.call_requests set ${changes} where id = $1`, [id])

  it('tells of a visitor who comes, changes and goes', async () => {
    await db.query("insert into public.visitors (slug, name) values ('acme', 'Acme')")
    await db.transaction(async (tx) => {
      await actAs(tx, 'ada@example.com')
      await tx.query("update public.visitors set name = 'Acme Ltd', system = 'Hi' where slug = 'acme'")
    })
    await db.query("update public.visitors set name = name where slug = 'acme'")
    await db.query("update public.visitors set slug = 'acme-2' where slug = 'acme'")
    await db.query("delete from public.visitors where slug = 'acme-2'")
    expect(await told('acme')).toEqual([
      ['visitor.created', 'operator', {}],
      ['visitor.changed', 'ada@example.com', { fields: ['name', 'system'] }],
    ])
    expect(await told('acme-2')).toEqual([
      ['visitor.changed', 'operator', { fields: ['slug'], formerSlug: 'acme' }],
      ['visitor.removed', 'operator', {}],
    ])
  })

  it('tells of what the REST wire changes with the secret key', async () => {
    await db.transaction(async (tx) => {
      await tx.query('set local role service_role')
      await tx.query("insert into public.visitors (slug, name) values ('wired', 'Wired')")
    })
    expect(await told('wired')).toEqual([['visitor.created', 'operator', {}]])
  })

  it('tells nothing of what is rolled back', async () => {
    const given = db.transaction(async (tx) => {
      await tx.query("insert into public.visitors (slug, name) values ('gone', 'Gone')")
      throw new Error('no')
    })
    await expect(given).rejects.toThrow('no')
    expect(await told('gone')).toEqual([])
  })

  it('tells of a call by telephone, each thing once', async () => {
    const id = await requested('phoned')
    await moved(id, "state = 'dialling', dialling_at = now()")
    await moved(id, "state = 'in-progress', in_progress_at = now()")
    await moved(id, "state = 'in-progress', in_progress_at = null")
    await moved(id, "state = 'in-progress', in_progress_at = now() - interval '75 seconds'")
    await moved(id, "state = 'ended', ended_at = now(), outcome = 'completed'")
    await moved(id, "cost_microusd = 5, summary = 'They talked'")
    expect(await told('phoned')).toEqual([
      ['call.requested', 'visitor', {}],
      ['call.answered', 'visitor', {}],
      ['call.completed', 'system', { outcome: 'completed', seconds: 75 }],
    ])
    expect((await readEngagement(db, 'phoned')).counts).toMatchObject({
      calls: 1,
      talked: 1,
      seconds: 75,
      longestSeconds: 75,
      opens: 0,
      lastSeenAt: expect.any(String),
    })
  })

  it('says of a call that came in that it did', async () => {
    const id = await requested('came', 'phone', 'dialling', true)
    await moved(id, "state = 'in-progress', in_progress_at = now() - interval '7 seconds'")
    await moved(id, "state = 'ended', ended_at = now(), outcome = 'completed'")
    expect(await told('came')).toEqual([
      ['call.requested', 'visitor', { direction: 'inbound' }],
      ['call.answered', 'visitor', { direction: 'inbound' }],
      ['call.completed', 'system', { direction: 'inbound', outcome: 'completed', seconds: 7 }],
    ])
  })

  it('tells of one that was answered and over before anybody heard of it', async () => {
    const id = await requested('late')
    await moved(id, "state = 'ended', in_progress_at = now() - interval '9 seconds', ended_at = now()")
    expect(await told('late')).toEqual([
      ['call.requested', 'visitor', {}],
      ['call.answered', 'visitor', {}],
      ['call.completed', 'system', { outcome: null, seconds: 9 }],
    ])
  })

  it('tells of those that are refused, or cannot be placed', async () => {
    await requested('refused', 'phone', 'refused')
    await requested('refused', 'web', 'refused')
    const late = await requested('refused')
    await moved(late, "state = 'refused', refusal = 'paused'")
    const failed = await requested('refused')
    await moved(failed, "state = 'failed'")
    expect(await told('refused')).toEqual([
      ['call.refused', 'visitor', { kind: 'phone', reason: 'paused' }],
      ['call.refused', 'visitor', { kind: 'web', reason: 'paused' }],
      ['call.requested', 'visitor', {}],
      ['call.refused', 'system', { kind: 'phone', reason: 'paused' }],
      ['call.requested', 'visitor', {}],
      ['call.completed', 'system', { outcome: 'failed', seconds: 0 }],
    ])
  })

  it('tells of a browser call once somebody is in it, and of no test call', async () => {
    const id = await requested('webbed', 'web', 'dialling')
    expect(await told('webbed')).toEqual([])
    await moved(id, "state = 'in-progress', in_progress_at = now() - interval '1 second'")
    await moved(id, "state = 'ended', ended_at = now(), outcome = 'completed'")
    expect(await told('webbed')).toEqual([
      ['webcall.started', 'visitor', {}],
      ['webcall.completed', 'system', { outcome: 'completed', seconds: 1 }],
    ])
    const nobody = await requested('nobody', 'web', 'dialling')
    await moved(nobody, "state = 'ended', ended_at = now()")
    expect(await told('nobody')).toEqual([])
    const test = await requested('(test)', 'web', 'dialling')
    await moved(test, "state = 'in-progress', in_progress_at = now()")
    expect(await told('(test)')).toEqual([])
  })

  it('tells of what stops all calls, and of a budget that is nearly used up, once', async () => {
    const types = ['calls.paused', 'calls.resumed', 'breaker.opened', 'budget.warning'] as const
    await db.query('update call_desk.switches set paused_at = now()')
    await db.query("update call_desk.switches set breaker_at = now(), breaker_reason = 'spend'")
    await db.query('update call_desk.switches set paused_at = null, breaker_at = null')
    const reserve = (amount: number) =>
      db.query("select call_desk.reserve_spend($1, 'web', $2, 1000, null, now())", [randomUUID(), amount])
    for (const amount of [700, 100, 100, 1_000]) await reserve(amount)
    const { events } = await listEvents(db, { types, limit: 10 })
    expect(events.toReversed().map(({ type, actor, payload }) => [type, actor, payload])).toEqual([
      ['calls.paused', 'operator', {}],
      ['breaker.opened', 'system', { reason: 'spend' }],
      ['calls.resumed', 'operator', {}],
      ['budget.warning', 'system', { kind: 'web', budget: 'day', percent: 80, limitMicrousd: 1_000 }],
    ])
  })

  it('has pages, and each event by its id', async () => {
    for (let place = 0; place < 5; place++)
      await recordEvent(db, { type: 'page.opened', slug: 'paged', actor: 'visitor', payload: {} })
    const first = await listEvents(db, { slug: 'paged', limit: 3 })
    expect(first.events).toHaveLength(3)
    const rest = await listEvents(db, { slug: 'paged', limit: 3, before: first.next ?? '' })
    expect(rest.events).toHaveLength(2)
    expect(rest.next).toBeNull()
    const [event] = rest.events
    expect(await findEvent(db, event?.id ?? '')).toEqual(event)
    expect(await findEvent(db, event?.id.slice(0, 9) ?? '')).toEqual(event)
    await expect(findEvent(db, randomUUID())).rejects.toMatchObject({ code: 'event_not_found' })
    await expect(findEvent(db, 'abc')).rejects.toMatchObject({ code: 'invalid_event_id' })
    await expect(findEvent(db, 'x or 1=1')).rejects.toMatchObject({ code: 'invalid_event_id' })
  })

  it('exports all, the oldest first, and is the same in any case of a slug', async () => {
    const seen = []
    for await (const part of createTimeline(db).export({ slug: 'PAGED' })) seen.push(...part)
    expect(seen).toHaveLength(5)
    expect(seen.toReversed()).toEqual((await listEvents(db, { slug: 'Paged', limit: 10 })).events)
    expect((await readEngagement(db, 'PAGED')).counts).toMatchObject({ slug: 'paged', opens: 5 })
  })

  it('tells those who follow of each event once, in order', async () => {
    const over = new AbortController()
    const seen: (string | null)[] = []
    let isReady = () => {}
    const ready = new Promise<void>((resolve) => {
      isReady = resolve
    })
    const following = (async () => {
      for await (const part of createTimeline(db).follow(over.signal)) {
        if (part.length === 0) isReady()
        seen.push(...part.map(({ slug }) => slug))
        if (seen.length === 3) over.abort()
      }
    })()
    await ready
    for (const slug of ['one', 'two', 'three']) {
      await recordEvent(db, { type: 'page.opened', slug, actor: 'visitor', payload: {} })
      await anotherMillisecond()
    }
    await following
    expect(seen).toEqual(['one', 'two', 'three'])
  })

  it('lists who did something by when, and who opened and did not call', async () => {
    await recordEvent(db, { type: 'page.opened', slug: 'looked', actor: 'visitor', payload: {} })
    const { visitors } = await listEngaged(db, { filter: 'opened_not_called', limit: 10 })
    expect(visitors.map(({ slug }) => slug)).toEqual(['looked', 'three', 'two', 'one', 'paged'])
    const [head] = (await listEngaged(db, { limit: 1 })).visitors
    expect(head).toMatchObject({ slug: 'looked', opens: 1 })
    const { next } = await listEngaged(db, { limit: 1 })
    const second = await listEngaged(db, { limit: 1, after: next ?? '' })
    expect(second.visitors[0]?.slug).toBe('three')
    const long = await listEngaged(db, { filter: 'talked_over_a_minute', limit: 10 })
    expect(long.visitors.map(({ slug }) => slug)).toEqual(['phoned'])
    const { days } = await readEngagement(db, 'paged')
    expect(days).toHaveLength(30)
    expect(days.at(-1)).toMatchObject({ opens: 5, calls: 0 })
  })

  it('gives an event to the endpoints that want it, in the same transaction', async () => {
    const { rows } = await db.query<{ id: string }>(
      `insert into timeline.endpoints (name, kind, target, events)
       values ('CRM', 'webhook', 'https://crm.example/', '{page.opened,call.answered}') returning id`,
    )
    await recordEvent(db, { type: 'page.opened', slug: 'told', actor: 'visitor', payload: {} })
    await recordEvent(db, { type: 'call.requested', slug: 'told', actor: 'visitor', payload: {} })
    const deliveries = await db.query(
      'select lane, state, attempts from timeline.deliveries where endpoint_id = $1',
      [rows[0]?.id],
    )
    expect(deliveries.rows).toEqual([{ lane: 'told', state: 'pending', attempts: 0 }])
  })

  it('tells people of the refused calls of a visitor once in ten minutes, and programs of each', async () => {
    const { rows } = await db.query<{ id: string }>(
      `insert into timeline.endpoints (name, kind, target, events)
       select kind, kind, 'ops@example.com', '{call.refused}' from unnest('{webhook,slack,email}'::text[]) kind
       returning id`,
    )
    const toldOf = async (slug: string) => {
      const counts = rows.map(
        async ({ id }) =>
          (
            await db.query(
              `select from timeline.deliveries d join timeline.events e on e.seq = d.event_seq
               where d.endpoint_id = $1 and e.slug = $2`,
              [id, slug],
            )
          ).rows.length,
      )
      return await Promise.all(counts)
    }
    const refuse = async (slug: string, times: number) => {
      for (let time = 0; time < times; time += 1) await requested(slug, 'phone', 'refused')
    }
    const pass = (minutes: number) =>
      db.query("update timeline.events set at = at - $1::int * interval '1 minute' where slug = 'shut'", [
        minutes,
      ])
    await refuse('shut', 5)
    await refuse('open', 1)
    await pass(9)
    await refuse('shut', 2)
    expect([await toldOf('shut'), await toldOf('open')]).toEqual([
      [7, 1, 1],
      [1, 1, 1],
    ])
    await pass(2)
    await refuse('shut', 2)
    expect(await toldOf('shut')).toEqual([9, 2, 2])
    // A clock was a day ahead meanwhile.
    await pass(-1_440)
    await refuse('shut', 2)
    expect(await toldOf('shut')).toEqual([11, 3, 3])
    expect(await told('shut')).toHaveLength(11)
    await db.exec('delete from timeline.endpoints')
  })

  it('tells an endpoint of the opens of a visitor once in ten minutes, and counts each', async () => {
    const added = async (name: string) => {
      const { rows } = await db.query<{ id: string }>(
        `insert into timeline.endpoints (name, kind, target, events)
         values ($1, 'webhook', 'https://crm.example/', '{page.opened,call.requested}') returning id`,
        [name],
      )
      return rows[0]?.id
    }
    const toldOf = async (id: string | undefined, slug: string) =>
      (
        await db.query<{ type: string }>(
          `select e.type from timeline.deliveries d join timeline.events e on e.seq = d.event_seq
           where d.endpoint_id = $1 and e.slug = $2 order by e.seq`,
          [id, slug],
        )
      ).rows.map(({ type }) => type)
    const happens = (type: 'page.opened' | 'call.requested', slug: string) =>
      recordEvent(db, { type, slug, actor: 'visitor', payload: {} })
    const opens = (slug: string, times: number) =>
      Promise.all(Array.from({ length: times }, () => happens('page.opened', slug)))
    const pass = (minutes: number) =>
      db.query(
        "update timeline.events set at = at - $1::int * interval '1 minute' where slug in ('keen', 'calm')",
        [minutes],
      )

    const first = await added('First')
    await opens('keen', 20)
    await opens('calm', 1)
    await pass(9)
    await opens('keen', 2)
    await happens('call.requested', 'keen')
    await happens('call.requested', 'keen')
    expect(await toldOf(first, 'keen')).toEqual(['page.opened', 'call.requested', 'call.requested'])
    expect(await toldOf(first, 'calm')).toEqual(['page.opened'])
    const second = await added('Second')
    await opens('keen', 2)
    expect([await toldOf(first, 'keen'), await toldOf(second, 'keen')].map(({ length }) => length)).toEqual([
      3, 1,
    ])
    await pass(2)
    await db.query(
      `insert into timeline.events (type, slug, actor) select 'page.opened', 'keen', 'visitor' from generate_series(1, 3)`,
    )
    expect([await toldOf(first, 'keen'), await toldOf(second, 'keen')].map(({ length }) => length)).toEqual([
      4, 1,
    ])
    expect((await listEvents(db, { slug: 'keen', types: ['page.opened'], limit: 50 })).events).toHaveLength(
      27,
    )
    expect((await readEngagement(db, 'keen')).counts).toMatchObject({ opens: 27, calls: 2 })
  })
})
