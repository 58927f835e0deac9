import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { EVENT_TYPES } from '../events/event.js'
import { digestMail, eventMail } from './event-mail.js'
import { eventWords } from './event-words.js'
import { isEndpointSecret, newEndpointSecret, signedHeaders } from './signature.js'
import { slackBody, slackDigestBody } from './slack-body.js'
import type { ToldEvent } from './told-event.js'
import { webhookBody } from './webhook-body.js'

const event: ToldEvent = {
  id: '0191d3a8-0000-4000-8000-000000000001',
  type: 'webcall.completed',
  at: '2026-05-01T12:30:00.000Z',
  slug: 'acme',
  actor: 'visitor',
  callId: null,
  payload: { outcome: 'completed', seconds: 75 },
  name: 'Acme & <Sons>',
}
const page = 'https://demo.example/-/console/visitors/acme?a=1&b=2'

it('signs as Standard Webhooks checks it, with one secret or two', () => {
  const [secret, former] = [newEndpointSecret(), newEndpointSecret()]
  const body = webhookBody(event, 'https://demo.example/x')
  const headers = signedHeaders({ id: event.id, at: Date.now(), body }, [secret, former])
  expect(headers['webhook-signature']?.split(' ')).toHaveLength(2)
  for (const one of [secret, former]) new Webhook(one).verify(body, headers)
  expect(() => new Webhook(newEndpointSecret()).verify(body, headers)).toThrow()
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow()
})

it('knows a secret of Standard Webhooks', () => {
  expect(isEndpointSecret(newEndpointSecret())).toBe(true)
  const of = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`
  expect([24, 64].map((bytes) => isEndpointSecret(of(bytes)))).toEqual([true, true])
  for (const wrong of [
    of(23),
    of(65),
    'whsec_',
    `${of(24)} `,
    'whsec_not base64',
    Buffer.alloc(32).toString('base64'),
  ])
    expect(isEndpointSecret(wrong), wrong).toBe(false)
})

it('tells a program little, and no operator’s address', () => {
  const body = webhookBody({ ...event, actor: 'ada@example.com', callId: event.id }, 'https://demo.example/x')
  expect(JSON.parse(body)).toEqual({
    type: 'webcall.completed',
    timestamp: event.at,
    data: { id: event.id, slug: 'acme', actor: 'operator', callId: event.id, link: 'https://demo.example/x' },
  })
  expect(body).not.toContain('ada')
})

it('has words for every event', () => {
  expect(eventWords(event)).toBe('Acme & <Sons> (acme) had a browser call of 1 min 15 s')
  expect(eventWords({ ...event, payload: { seconds: 0 } })).toContain('nobody talked')
  const payload = { kind: 'web', reason: 'paused', budget: 'day', percent: 80, fields: ['name'], seconds: 9 }
  for (const type of EVENT_TYPES) expect(eventWords({ ...event, type, payload })).not.toMatch(/undefined|\n/)
  const came = { ...event, name: null, payload: { direction: 'inbound', seconds: 61 } }
  expect(eventWords({ ...came, type: 'call.requested' })).toBe('acme called us')
  expect(eventWords({ ...came, slug: null, type: 'call.requested' })).toBe('Somebody called us')
  expect(eventWords({ ...came, type: 'call.completed' })).toBe(
    'acme called us, and had a phone call of 1 min 1 s',
  )
  expect(eventWords({ ...event, name: null, type: 'page.opened' })).toBe('acme opened the page')
})

it('escapes what Slack would read as a link or a name', () => {
  const { text } = JSON.parse(slackBody({ ...event, name: '<!channel> & <https://evil.example|here>' }, page))
  expect(text).toBe(
    '&lt;!channel&gt; &amp; &lt;https://evil.example|here&gt; (acme) had a browser call of 1 min 15 s\n' +
      '<https://demo.example/-/console/visitors/acme?a=1&amp;b=2|Open in Heyline>',
  )
})

it('tells Slack of many events in one message that it does not cut off', () => {
  const textOf = (count: number, name: string) => {
    const events = Array.from({ length: 100 }, (_, place) => ({ ...event, slug: `v${place}`, name }))
    return String(JSON.parse(slackDigestBody({ count, events }, () => page)).text)
  }
  const text = textOf(120, '<!channel>')
  expect(text).toMatch(/^What happened: 120 events\n… and 20 more before these\.\n/)
  expect(text).toContain('2026-05-01 12:30 UTC  &lt;!channel&gt; (v99) had a browser call')
  expect(text.split('\n')).toHaveLength(102)
  const long = textOf(100, 'y'.repeat(1_000))
  expect(long.length).toBeLessThan(31_000)
  expect(long).toContain('(v99)')
  const listed = long.split('\n').length - 2
  expect(long).toContain(`… and ${100 - listed} more before these.`)
})

it('writes mails whose subject is one line', () => {
  const mail = eventMail(
    'ada@example.com',
    { ...event, name: `x\r\nBcc: eve@example.com${'y'.repeat(300)}` },
    page,
  )
  expect(mail.subject).not.toMatch(/[\r\n]/)
  expect(mail.subject.length).toBeLessThanOrEqual(150)
  expect(mail.text).toContain('2026-05-01 12:30 UTC')
  const digest = digestMail('ada@example.com', { count: 3, events: [event, event] }, () => page)
  expect(digest.subject).toBe('What happened: 3 events')
  expect(digest.text).toContain('… and 1 more before these.')
  expect(digest.text.split(page)).toHaveLength(3)
})
