import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NewEndpoint } from '../endpoints/endpoint.js'
import { EVENT_TYPES } from '../events/event.js'
import { openReceiver, type Receiver } from '../testing/receiver.js'
import { opened, openTestDelivery } from '../testing/running-delivery.js'
import { removeOldDeliveries } from './old-deliveries.js'

/** A loaded machine takes its time. */
const eventually = <Value>(read: () => Value) => expect.poll(read, { timeout: 30_000 })

type TestDelivery = ReturnType<typeof openTestDelivery>

describe.each(DATABASES)('the sender, $name', ({ open }) => {
  let db: Db
  let receiver: Receiver
  let delivery: TestDelivery
  const running: TestDelivery[] = []
  const key = randomBytes(32)
  beforeEach(async () => {
    db = await open()
    receiver = await openReceiver()
    delivery = openTestDelivery(db, { key })
    running.push(delivery)
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map((one) => one.close()))
    await receiver.close()
    await db.close()
  })
  async function added(changes: Partial<NewEndpoint> = {}) {
    const given: NewEndpoint = {
      name: 'CRM',
      kind: 'webhook',
      target: receiver.url,
      events: [...EVENT_TYPES],
    }
    const { endpoint, secret } = await delivery.endpoints.add({ ...given, ...changes })
    return { id: endpoint.id, secret: secret ?? '' }
  }
  const states = async () => {
    const { rows } = await db.query<{ lane: string; state: string; attempts: number }>(
      'select lane, state, attempts from timeline.deliveries order by event_seq',
    )
    return rows
  }
  const slugsReceived = () => receiver.received.map(({ body }) => JSON.parse(body).data.slug)
  const dueNow = () => db.query("update timeline.deliveries set run_at = now() where state = 'pending'")
  const answersWith = (status: number) =>
    receiver.answers((_, response) => void response.writeHead(status).end())

  it('sends what happens, signed, once', async () => {
    const { id, secret } = await added()
    await delivery.start()
    await opened(db, 'acme')
    await eventually(states).toEqual([{ lane: 'acme', state: 'delivered', attempts: 1 }])
    const headers = { ...receiver.received[0]?.headers } as Record<string, string>
    const body = receiver.received[0]?.body ?? ''
    new Webhook(secret).verify(body, headers)
    const { rows } = await db.query<{ id: string; at: Date }>(
      "select id, at from timeline.events where slug = 'acme'",
    )
    expect(headers['webhook-id']).toBe(rows[0]?.id)
    expect(JSON.parse(body)).toEqual({
      type: 'page.opened',
      timestamp: rows[0]?.at.toISOString(),
      data: {
        id: rows[0]?.id,
        slug: 'acme',
        actor: 'visitor',
        callId: null,
        link: `https://demo.example/-/office/timeline/events/${rows[0]?.id}`,
      },
    })
    const { attempts } = await delivery.endpoints.attempts(id, { limit: 10 })
    expect(attempts).toMatchObject([{ status: 204, error: null, slug: 'acme' }])
    await delay(200)
    expect(receiver.received).toHaveLength(1)
  })

  it('tries again with the same id and bytes, eight times, and gives up', async () => {
    const { id } = await added()
    answersWith(500)
    await opened(db, 'acme')
    await delivery.start()
    for (let tries = 1; tries <= 8; tries++) {
      await eventually(async () => (await states())[0]?.attempts).toBe(tries)
      await dueNow()
    }
    expect(await states()).toEqual([{ lane: 'acme', state: 'dead', attempts: 8 }])
    expect(new Set(receiver.received.map(({ body, headers }) => headers['webhook-id'] + body)).size).toBe(1)
    expect(receiver.received).toHaveLength(8)
    answersWith(200)
    expect(await delivery.endpoints.replay(id)).toBe(1)
    await eventually(states).toEqual([{ lane: 'acme', state: 'delivered', attempts: 1 }])
  })

  it('waits five seconds after the first failure, and longer each time', async () => {
    await added()
    answersWith(500)
    await opened(db, 'acme')
    await delivery.start()
    const waits: number[] = []
    for (let tries = 1; tries <= 3; tries++) {
      await eventually(async () => (await states())[0]?.attempts).toBe(tries)
      const { rows } = await db.query<{ wait: number }>(
        'select extract(epoch from run_at - now())::float8 as wait from timeline.deliveries',
      )
      waits.push(rows[0]?.wait ?? 0)
      await dueNow()
    }
    const expected = [5, 300, 1800]
    for (const [place, wait] of waits.entries()) {
      expect(wait).toBeLessThan((expected[place] ?? 0) * 1.11)
      expect(wait).toBeGreaterThan((expected[place] ?? 0) * 0.89 - 2)
    }
  })

  it('waits as long as a receiver asks that is busy, up to an hour', async () => {
    await added()
    await delivery.start()
    for (const [slug, status, asked, expected] of [
      ['busy', 429, '600', 600],
      ['down', 503, '86400', 3_600],
      ['broken', 500, '600', 5],
    ] as const) {
      receiver.answers((_, response) => void response.writeHead(status, { 'retry-after': asked }).end())
      await opened(db, slug)
      const waitOf = async () =>
        (
          await db.query<{ wait: number }>(
            `select extract(epoch from run_at - done.at)::float8 as wait
             from timeline.deliveries d join timeline.attempts done using (endpoint_id, event_seq) where d.lane = $1`,
            [slug],
          )
        ).rows[0]?.wait ?? 0
      await eventually(waitOf).toBeGreaterThan(expected * 0.89)
      expect(await waitOf()).toBeLessThan(expected * 1.11)
    }
  })

  it('keeps the order of a visitor, whatever fails, and holds up nobody else', async () => {
    await added()
    let failing = true
    receiver.answers(({ body }, response) => {
      const isHeld = failing && JSON.parse(body).data.slug === 'held'
      response.writeHead(isHeld ? 503 : 200).end()
    })
    await opened(db, 'held', 'held', 'free', 'held', 'free')
    await delivery.start()
    await eventually(() => slugsReceived().filter((slug) => slug === 'free')).toHaveLength(2)
    await dueNow()
    await eventually(async () => (await states())[0]?.attempts).toBe(2)
    expect((await states()).map(({ attempts }) => attempts)).toEqual([2, 0, 1, 0, 1])
    failing = false
    await dueNow()
    await eventually(async () => (await states()).every(({ state }) => state === 'delivered')).toBe(true)
    const held = receiver.received.filter(({ body }) => JSON.parse(body).data.slug === 'held')
    const order = [...new Set(held.map(({ headers }) => headers['webhook-id']))]
    const { rows } = await db.query<{ id: string }>(
      "select id from timeline.events where slug = 'held' order by seq",
    )
    expect(order).toEqual(rows.map(({ id }) => id))
  })

  it('sends each once where two do, several at a time but not too many', async () => {
    await added()
    let [now, most] = [0, 0]
    receiver.answers(async (_, response) => {
      most = Math.max(most, ++now)
      await delay(20)
      now--
      response.writeHead(200).end()
    })
    const second = openTestDelivery(db, { key })
    running.push(second)
    await opened(db, ...Array.from({ length: 60 }, (_, place) => `v${place % 30}`))
    await Promise.all([delivery.start(), second.start()])
    await eventually(async () => (await states()).every(({ state }) => state === 'delivered')).toBe(true)
    expect(receiver.received).toHaveLength(60)
    expect(most).toBeGreaterThan(1)
    expect(most).toBeLessThanOrEqual(16)
  })

  it('gives each visitor a turn, however much waits of another', async () => {
    await added()
    const slugs = Array.from({ length: 20 }, (_, place) => `v${place}`)
    await opened(db, ...slugs.flatMap((slug) => [slug, slug, slug]))
    await delivery.start()
    await eventually(() => receiver.received).toHaveLength(60)
    // Two that are sent at once may arrive in either order.
    expect(new Set(slugsReceived().slice(0, 20)).size).toBeGreaterThan(16)
  })

  it('disables an endpoint that answers 410, and says why', async () => {
    const { id } = await added()
    answersWith(410)
    await opened(db, 'acme')
    await delivery.start()
    await eventually(states).toEqual([{ lane: 'acme', state: 'dead', attempts: 1 }])
    const endpoint = await delivery.endpoints.find(id)
    expect(endpoint.disabledReason).toBe('It answered 410: it wants nothing more')
    await opened(db, 'acme')
    expect(await states()).toHaveLength(1)
    answersWith(200)
    await delivery.endpoints.update(id, { isEnabled: true })
    await delivery.endpoints.replay(id)
    await eventually(states).toEqual([{ lane: 'acme', state: 'delivered', attempts: 1 }])
    expect(await delivery.endpoints.find(id)).toMatchObject({ disabledAt: null, disabledReason: null })
  })

  it('is held up by no endpoint that stalls', async () => {
    const patient = openTestDelivery(db, { key, tryMs: 2_000 })
    running.push(patient)
    receiver.answers(() => {})
    await added()
    const quick = await openReceiver()
    await added({ kind: 'slack', target: quick.url })
    await opened(db, ...Array.from({ length: 20 }, (_, place) => `v${place}`))
    await patient.start()
    await eventually(() => quick.received).toHaveLength(20)
    expect((await states()).filter(({ attempts }) => attempts > 0).length).toBeLessThanOrEqual(20)
    await quick.close()
  })

  it('ends what is under way before it closes', async () => {
    await added()
    receiver.answers(async (_, response) => {
      await delay(300)
      response.writeHead(200).end()
    })
    await opened(db, 'acme')
    await delivery.start()
    await eventually(() => receiver.received).toHaveLength(1)
    await delivery.close()
    expect(await states()).toEqual([{ lane: 'acme', state: 'delivered', attempts: 1 }])
  })

  it('sends again what another process left, once its lease has run out', async () => {
    await added()
    await opened(db, 'acme')
    await db.query(
      "update timeline.deliveries set claim = gen_random_uuid(), lease_until = now() + interval '1 second'",
    )
    await delivery.start()
    await delay(300)
    expect(receiver.received).toEqual([])
    await eventually(states).toEqual([{ lane: 'acme', state: 'delivered', attempts: 1 }])
  })

  it('notes nothing of a claim that it has lost', async () => {
    await added()
    receiver.answers(async (_, response) => {
      await db.query(
        "update timeline.deliveries set claim = gen_random_uuid(), lease_until = now() + interval '30 seconds'",
      )
      response.writeHead(200).end()
    })
    await opened(db, 'acme')
    await delivery.start()
    await eventually(() => receiver.received).toHaveLength(1)
    await delivery.close()
    expect(await states()).toEqual([{ lane: 'acme', state: 'pending', attempts: 0 }])
    expect((await db.query('select from timeline.attempts')).rows).toEqual([])
  })

  it('mails at once, or once a day', async () => {
    await added({ kind: 'email', target: 'ada@example.com' })
    const { id } = await added({ kind: 'email', target: 'bob@example.com', isDigest: true })
    await delivery.start()
    await opened(db, 'acme', 'acme', 'other')
    await eventually(() => delivery.mails).toHaveLength(3)
    const { rows } = await db.query<{ hour: number; wait: number }>(
      `select extract(hour from run_at at time zone 'UTC')::int as hour, extract(epoch from run_at - now())::float8 as wait
       from timeline.deliveries where endpoint_id = $1`,
      [id],
    )
    expect(rows).toHaveLength(3)
    for (const { hour, wait } of rows) {
      expect(hour).toBe(8)
      expect(wait).toBeGreaterThan(0)
      expect(wait).toBeLessThanOrEqual(86_400)
    }
    await dueNow()
    await eventually(() => delivery.mails).toHaveLength(4)
    expect(delivery.mails[3]).toMatchObject({ to: 'bob@example.com', subject: 'What happened: 3 events' })
    await eventually(async () => (await states()).every(({ state }) => state === 'delivered')).toBe(true)
    await delay(200)
    expect(delivery.mails).toHaveLength(4)
  })

  it('keeps a digest that was not taken, as one mail', async () => {
    let isDown = true
    const mails: string[] = []
    const fragile = openTestDelivery(db, {
      sendMail: async ({ subject }) => {
        if (isDown) throw new Error('451 try later')
        mails.push(subject)
      },
    })
    running.push(fragile)
    const { id } = await added({ kind: 'email', target: 'bob@example.com', isDigest: true })
    await opened(db, 'acme', 'other')
    await dueNow()
    await fragile.start()
    await eventually(async () => (await states()).map(({ attempts }) => attempts)).toEqual([1, 1])
    const { attempts } = await fragile.endpoints.attempts(id, { limit: 10 })
    expect(attempts).toMatchObject([{ status: null, error: '451 try later' }])
    isDown = false
    await dueNow()
    await eventually(() => mails).toEqual(['What happened: 2 events'])
  })

  it('tells Slack the visitor’s name', async () => {
    await added({ kind: 'slack', events: ['visitor.created'] })
    await delivery.start()
    await db.query("insert into public.visitors (slug, name) values ('tom', 'Tom & <Co>')")
    await eventually(() => receiver.received).toHaveLength(1)
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toEqual({
      text: 'Tom &amp; &lt;Co&gt; (tom) was added\n<https://demo.example/-/console/visitors/tom|Open in Heyline>',
    })
  })

  it('removes what was over a month ago, with its log', async () => {
    const { id } = await added()
    await opened(db, 'old', 'new')
    await delivery.start()
    await eventually(async () => (await states()).every(({ state }) => state === 'delivered')).toBe(true)
    await delivery.close()
    await opened(db, 'waiting')
    await db.query("update timeline.deliveries set done_at = now() - interval '31 days' where lane = 'old'")
    await db.query(
      "update timeline.deliveries set run_at = now() - interval '31 days' where lane = 'waiting'",
    )
    expect(await removeOldDeliveries(db)).toBe(1)
    await delivery.endpoints.update(id, { isEnabled: false })
    expect(await removeOldDeliveries(db)).toBe(1)
    expect((await states()).map(({ lane }) => lane)).toEqual(['new'])
    expect((await db.query('select from timeline.attempts')).rows).toHaveLength(1)
  })
})
