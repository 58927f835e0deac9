import { randomBytes, randomUUID } from 'node:crypto'
import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { EVENT_TYPES } from '../events/event.js'
import { openReceiver, type Receiver } from '../testing/receiver.js'
import { opened, openTestDelivery } from '../testing/running-delivery.js'
import { ENDPOINTS_MOST, type NewEndpoint } from './endpoint.js'

describe.each(DATABASES)('endpoints, $name', ({ open }) => {
  let db: Db
  let receiver: Receiver
  let delivery: ReturnType<typeof openTestDelivery>
  beforeAll(async () => {
    db = await open()
    receiver = await openReceiver()
    delivery = openTestDelivery(db)
  })
  afterAll(async () => {
    await receiver.close()
    await db.close()
  })
  afterEach(() => db.exec('delete from timeline.endpoints; delete from timeline.events'))
  const webhook = (changes: Partial<NewEndpoint> = {}): NewEndpoint => ({
    name: 'CRM',
    kind: 'webhook',
    target: receiver.url,
    events: ['page.opened'],
    ...changes,
  })

  it('are added, shown without their secret, changed and removed', async () => {
    const { endpoints } = delivery
    const { endpoint, secret } = await endpoints.add(webhook({ events: ['page.opened', 'page.opened'] }))
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(endpoint).toMatchObject({
      name: 'CRM',
      kind: 'webhook',
      events: ['page.opened'],
      pending: 0,
      dead: 0,
    })
    expect(await endpoints.list()).toEqual([endpoint])
    const { rows } = await db.query('select p::text as row from timeline.endpoints p')
    expect(JSON.stringify(rows)).not.toContain(secret?.slice(6))
    const changed = await endpoints.update(endpoint.id, { name: 'Other', events: ['visitor.created'] })
    expect(changed).toMatchObject({ name: 'Other', events: ['visitor.created'], target: receiver.url })
    await endpoints.remove(endpoint.id)
    await expect(endpoints.find(endpoint.id)).rejects.toMatchObject({ code: 'endpoint_not_found' })
    await expect(endpoints.find('1')).rejects.toMatchObject({ code: 'endpoint_not_found' })
  })

  it('take no target that nothing may be sent to', async () => {
    const strict = openTestDelivery(db, { allowPrivate: false, sendMail: undefined }).endpoints
    for (const target of [
      'http://a.example/',
      'https://10.0.0.1/',
      'https://u:p@a.example/',
      'javascript:1',
      'x',
    ])
      await expect(strict.add(webhook({ target }))).rejects.toMatchObject({ code: 'invalid_target' })
    await expect(strict.add(webhook({ kind: 'email', target: 'ada@example.com' }))).rejects.toMatchObject({
      code: 'no_mail',
    })
    const { endpoints } = delivery
    for (const target of ['ada', 'a@example.com, b@example.com', 'Ada <a@example.com>'])
      await expect(endpoints.add(webhook({ kind: 'email', target }))).rejects.toMatchObject({
        code: 'invalid_target',
      })
    const injected = webhook({ kind: 'email', target: 'a@example.com\r\nBcc: b@example.com' })
    await expect(endpoints.add(injected)).rejects.toThrow('one line')
    await expect(endpoints.add(webhook({ isDigest: true }))).rejects.toMatchObject({ code: 'invalid_target' })
    const { endpoint } = await endpoints.add(webhook())
    await expect(endpoints.update(endpoint.id, { target: 'ftp://a.example' })).rejects.toMatchObject({
      code: 'invalid_target',
    })
  })

  it('sign with two secrets while one is exchanged', async () => {
    const { endpoints } = delivery
    const { endpoint, secret } = await endpoints.add(webhook())
    const rotated = await endpoints.rotate(endpoint.id)
    expect(rotated.secret).not.toBe(secret)
    expect(new Date(rotated.endpoint.formerUntil ?? 0).getTime()).toBeGreaterThan(Date.now() + 23 * 3_600_000)
    expect(await endpoints.sendTest(endpoint.id)).toMatchObject({
      isDelivered: true,
      status: 204,
      error: null,
    })
    const { headers, body } = receiver.received.at(-1) ?? { headers: {}, body: '' }
    for (const one of [secret, rotated.secret])
      new Webhook(one ?? '').verify(body, headers as Record<string, string>)
    expect(JSON.parse(body)).toMatchObject({ type: 'endpoint.test', data: { slug: null, actor: 'operator' } })
    await db.query("update timeline.endpoints set former_until = now() - interval '1 second' where id = $1", [
      endpoint.id,
    ])
    await endpoints.sendTest(endpoint.id)
    expect(String(receiver.received.at(-1)?.headers['webhook-signature']).split(' ')).toHaveLength(1)
    const { rows } = await db.query('select from timeline.events')
    expect(rows).toEqual([])
  })

  it('say what a test met with', async () => {
    const { endpoints } = delivery
    const { endpoint } = await endpoints.add(webhook())
    receiver.answers((_, response) => void response.writeHead(410).end())
    expect(await endpoints.sendTest(endpoint.id)).toMatchObject({
      isDelivered: false,
      status: 410,
      error: 'It answered 410',
      ms: expect.any(Number),
    })
    receiver.answers((_, response) => void response.writeHead(204).end())
    expect((await endpoints.find(endpoint.id)).disabledAt).toBeNull()
    const elsewhere = openTestDelivery(db, { key: randomBytes(32) }).endpoints
    expect((await elsewhere.sendTest(endpoint.id)).error).toMatch(/sealed with another key/)
    // A new secret is enough, though the one before cannot be opened.
    await elsewhere.rotate(endpoint.id)
    expect(await elsewhere.sendTest(endpoint.id)).toMatchObject({ isDelivered: true })
    expect(String(receiver.received.at(-1)?.headers['webhook-signature']).split(' ')).toHaveLength(1)
    await endpoints.remove(endpoint.id)
    const slack = await endpoints.add(webhook({ kind: 'slack' }))
    expect(slack.secret).toBeNull()
    await expect(endpoints.rotate(slack.endpoint.id)).rejects.toMatchObject({ code: 'no_secret' })
    await endpoints.sendTest(slack.endpoint.id)
    expect(JSON.parse(receiver.received.at(-1)?.body ?? '')).toEqual({
      text: expect.stringContaining('This is a test'),
    })
    await endpoints.remove(slack.endpoint.id)
    const mail = await endpoints.add(webhook({ kind: 'email', target: 'ada@example.com' }))
    expect(await endpoints.sendTest(mail.endpoint.id)).toMatchObject({ isDelivered: true, status: null })
    expect(delivery.mails).toMatchObject([
      { to: 'ada@example.com', subject: expect.stringContaining('test') },
    ])
  })

  it('are so many at most, whoever asks at the same time', async () => {
    const { endpoints } = delivery
    const added = await Promise.allSettled(
      Array.from({ length: ENDPOINTS_MOST + 3 }, () => endpoints.add(webhook())),
    )
    expect(added.filter(({ status }) => status === 'rejected')).toHaveLength(3)
  })

  it('of the settings are one, which they alone change', async () => {
    const { endpoints } = delivery
    const [secret, former] = [1, 2].map((byte) => `whsec_${Buffer.alloc(24, byte).toString('base64')}`)
    await endpoints.setOfSettings({ url: receiver.url, secrets: [secret ?? '', former ?? ''] })
    await endpoints.setOfSettings({ url: receiver.url, secrets: [secret ?? '', former ?? ''] })
    const [endpoint, ...others] = await endpoints.list()
    expect(others).toEqual([])
    expect(endpoint).toMatchObject({ isOfSettings: true, events: [...EVENT_TYPES], formerUntil: null })
    const id = endpoint?.id ?? ''
    await endpoints.sendTest(id)
    const { headers, body } = receiver.received.at(-1) ?? { headers: {}, body: '' }
    for (const one of [secret, former]) new Webhook(one ?? '').verify(body, headers as Record<string, string>)
    for (const change of [
      () => endpoints.update(id, { name: 'x' }),
      () => endpoints.rotate(id),
      () => endpoints.remove(id),
    ])
      await expect(change()).rejects.toMatchObject({ code: 'of_settings' })
    await endpoints.update(id, { isEnabled: false })
    await endpoints.setOfSettings({ url: receiver.url, secrets: [secret ?? ''] })
    expect((await endpoints.find(id)).disabledReason).toBe('An operator disabled it')
    await endpoints.setOfSettings({ url: `${receiver.url}2`, secrets: [secret ?? ''] })
    expect(await endpoints.find(id)).toMatchObject({ disabledAt: null, target: `${receiver.url}2` })
    await endpoints.setOfSettings(undefined)
    expect(await endpoints.list()).toEqual([])
  })

  it('have a log in pages, and replay what was given up', async () => {
    const { endpoints } = delivery
    const { endpoint } = await endpoints.add(webhook())
    const { id } = endpoint
    await opened(db, 'a', 'b', 'c')
    await db.query("update timeline.deliveries set state = 'dead', attempts = 8, done_at = now()")
    await db.query(
      `insert into timeline.attempts (endpoint_id, event_seq, ms, status, error)
       select $1, event_seq, 5, 500, 'It answered 500' from timeline.deliveries, generate_series(1, 20)`,
      [id],
    )
    const page = await endpoints.attempts(id, { limit: 50 })
    expect(page.attempts[0]).toMatchObject({ slug: 'c', status: 500, error: 'It answered 500', ms: 5 })
    const rest = await endpoints.attempts(id, { limit: 50, before: page.next ?? '' })
    expect([page.attempts.length, rest.attempts.length, rest.next]).toEqual([50, 10, null])
    const { deliveries, next } = await endpoints.deliveries(id, { state: 'dead', limit: 2 })
    expect(deliveries.map(({ slug }) => slug)).toEqual(['c', 'b'])
    expect(deliveries[0]).toMatchObject({ attempts: 8, error: 'It answered 500', runAt: null })
    expect(
      (await endpoints.deliveries(id, { state: 'dead', limit: 2, before: next ?? '' })).deliveries,
    ).toHaveLength(1)
    expect(await endpoints.replay(id, deliveries[0]?.eventId)).toBe(1)
    expect(await endpoints.replay(id, randomUUID())).toBe(0)
    expect(await endpoints.find(id)).toMatchObject({ pending: 1, dead: 2 })
    expect(await endpoints.replay(id)).toBe(2)
    expect(await endpoints.find(id)).toMatchObject({ pending: 3, dead: 0 })
    expect((await endpoints.attempts(id, { limit: 200 })).attempts).toHaveLength(48)
  })
})
