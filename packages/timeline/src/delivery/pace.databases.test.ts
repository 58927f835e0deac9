import { randomUUID } from 'node:crypto'
import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NewEndpoint } from '../endpoints/endpoint.js'
import { EVENT_TYPES } from '../events/event.js'
import { openTestDelivery } from '../testing/running-delivery.js'
import { claimDigest, settleDigest } from './digests.js'
import { paceOf } from './pace.js'
import { allWaits } from './tries.js'

const eventually = <Value>(read: () => Value) => expect.poll(read, { timeout: 30_000 })

describe.each(DATABASES)('the pace of messages to people, $name', ({ open }) => {
  let db: Db
  let delivery: ReturnType<typeof openTestDelivery>
  beforeEach(async () => {
    db = await open()
    delivery = openTestDelivery(db)
  })
  afterEach(async () => {
    await delivery.close()
    await db.close()
  })

  async function added(changes: Partial<NewEndpoint> = {}) {
    const given: NewEndpoint = {
      name: 'Ada',
      kind: 'email',
      target: 'ada@example.com',
      events: [...EVENT_TYPES],
    }
    const { endpoint } = await delivery.endpoints.add({ ...given, ...changes })
    return endpoint
  }
  /** Changes of so many visitors, from this one on. */
  const changed = (from: number, count: number) =>
    db.query(
      `insert into timeline.events (type, slug, actor, payload)
       select 'visitor.changed', 'v' || n, 'ada@example.com', '{"fields": ["name"]}' from generate_series($1::int, $1 + $2 - 1) n`,
      [from, count],
    )
  const waiting = async () =>
    (await db.query("select from timeline.deliveries where state = 'pending'")).rows.length
  const pass = (minutes: number) =>
    db.query("update timeline.attempts set at = at - $1 * interval '1 minute'", [minutes])
  const subjects = () => delivery.mails.map(({ subject }) => subject)

  it('is one mail of all where more happens at once than an hour has mails', async () => {
    await added()
    await changed(1, 60)
    await delivery.start()
    await eventually(waiting).toBe(0)
    expect(subjects()).toEqual(['What happened: 60 events'])
    for (let place = 1; place <= 60; place++)
      expect(delivery.mails[0]?.text).toContain(`v${place} was changed`)
  })

  it('is twenty mails of single events in an hour, then one of all that waits every ten minutes', async () => {
    const { id } = await added()
    await changed(1, 20)
    await delivery.start()
    await eventually(() => delivery.mails).toHaveLength(20)
    await eventually(waiting).toBe(0)
    const { deliveries } = await delivery.endpoints.deliveries(id, { limit: 20 })
    for (const { eventId } of deliveries) await delivery.endpoints.replay(id, eventId)
    await changed(21, 5)
    expect(await paceOf(db, { id, kind: 'email', isDigest: false })).toBe('later')
    expect(await paceOf(db, { id, kind: 'email', isDigest: true })).toBe('later')
    expect(await waiting()).toBe(25)
    expect(delivery.mails).toHaveLength(20)
    await pass(11)
    await eventually(waiting).toBe(0)
    expect(subjects().slice(20)).toEqual(['What happened: 25 events'])
    await changed(26, 1)
    await pass(61)
    await eventually(waiting).toBe(0)
    expect(subjects().at(-1)).toBe('v26 was changed (name)')
  })

  it('counts a replayed event’s mails, however often it was sent', async () => {
    const { id } = await added()
    await changed(1, 1)
    await delivery.start()
    await eventually(() => delivery.mails).toHaveLength(1)
    await eventually(waiting).toBe(0)
    const [first] = (await delivery.endpoints.deliveries(id, { limit: 1 })).deliveries
    for (let time = 2; time <= 20; time++) {
      await delivery.endpoints.replay(id, first?.eventId)
      await eventually(waiting).toBe(0)
    }
    await delivery.endpoints.replay(id, first?.eventId)
    expect(await paceOf(db, { id, kind: 'slack', isDigest: false })).toBe('later')
    expect(delivery.mails).toHaveLength(20)
  })

  it('lets programs have each event', async () => {
    const { id } = await added({ kind: 'webhook', target: 'https://crm.example/' })
    await changed(1, 100)
    expect(await paceOf(db, { id, kind: 'webhook', isDigest: false })).toBe('each')
  })

  it('keeps the order of a visitor, and the tries of each event', async () => {
    const endpoint = await added()
    const claim = () => ({ endpointId: endpoint.id, claim: randomUUID(), leaseMs: 60_000 })
    await changed(1, 3)
    await changed(1, 3)
    const ofFirst = (set: string) =>
      db.query(
        `update timeline.deliveries set ${set} where event_seq = (select min(event_seq) from timeline.deliveries)`,
      )
    await ofFirst("attempts = 7, run_at = now() + interval '1 hour'")
    const one = claim()
    expect(await claimDigest(db, endpoint, one)).toMatchObject({ count: 4, attempts: 0 })
    await settleDigest(db, one, { status: null, error: null, ms: 1, waits: [] })
    await ofFirst('run_at = now()')
    const two = claim()
    expect(await claimDigest(db, endpoint, two)).toMatchObject({ count: 2, attempts: 7 })
    expect(await claimDigest(db, endpoint, claim())).toBeUndefined()
    await settleDigest(db, two, { status: null, error: '451 try later', ms: 1, waits: allWaits(0.5) })
    const { rows } = await db.query(
      `select state, attempts, run_at > now() + interval '1 second' as waits from timeline.deliveries
       where lane = 'v1' order by event_seq`,
    )
    expect(rows).toEqual([
      { state: 'dead', attempts: 8, waits: false },
      { state: 'pending', attempts: 1, waits: true },
    ])
  })
})
