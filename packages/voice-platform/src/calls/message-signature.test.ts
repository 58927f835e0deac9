import { createHmac } from 'node:crypto'
import type { HmacPlan } from '@heyline/platform-client'
import { describe, expect, it } from 'vitest'
import { messageHeaders } from './message-signature.js'

const URL = 'https://hooks.example/calls'
const MESSAGE = {
  id: 'msg_loFOjxBNrRLzqYUf',
  timestamp: 1731705121,
  body: '{"event_type":"ping","data":{"success":true}}',
}
const hex = (algorithm: string, key: string | Buffer, text: string) =>
  createHmac(algorithm, key).update(text).digest('hex')
const planned = (plan: Partial<HmacPlan>) =>
  messageHeaders(
    { url: URL, authenticationPlan: { type: 'hmac', secretKey: 'the key', algorithm: 'sha256', ...plan } },
    MESSAGE,
  )

describe('a message’s headers', () => {
  it('sign as Standard Webhooks does in its own example', () => {
    const headers = messageHeaders({ url: URL, secret: 'whsec_plJ3nmyCDGBKInavdOK15jsl' }, MESSAGE)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': MESSAGE.id,
      'webhook-timestamp': '1731705121',
      'webhook-signature': 'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
    })
  })

  it('take a secret of another form as it stands, and show it as the platform does', () => {
    const headers = messageHeaders({ url: URL, secret: 'the-hook-secret' }, MESSAGE)
    const signed = `${MESSAGE.id}.${MESSAGE.timestamp}.${MESSAGE.body}`
    const expected = createHmac('sha256', 'the-hook-secret').update(signed).digest('base64')
    expect(headers.get('webhook-signature')).toBe(`v1,${expected}`)
    expect(headers.get('x-vapi-secret')).toBe('the-hook-secret')
    expect(headers.get('x-vapi-signature')).toBe(hex('sha256', 'the-hook-secret', MESSAGE.body))
  })

  it('sign nothing without a secret or a plan', () => {
    expect([...messageHeaders({ url: URL }, MESSAGE).keys()]).toEqual([
      'content-type',
      'webhook-id',
      'webhook-timestamp',
    ])
  })

  it('follow an HMAC plan’s defaults', () => {
    const headers = planned({})
    const { timestamp, body } = MESSAGE
    expect(headers.get('x-signature')).toBe(hex('sha256', 'the key', `${timestamp}.${body}`))
    expect(headers.get('x-timestamp')).toBe(String(timestamp))
  })

  it('follow all that an HMAC plan says', () => {
    const headers = planned({
      algorithm: 'sha512',
      secretKey: Buffer.from('the bytes').toString('base64'),
      secretIsBase64: true,
      signatureHeader: 'x-signed',
      signaturePrefix: 'sha512=',
      timestampHeader: 'x-time',
      messageIdHeader: 'svix-id',
      signatureEncoding: 'base64',
      payloadFormat: '{method} {url} {svix-id} {timestamp} {body} {other}',
    })
    const payload = `POST ${URL} ${MESSAGE.id} ${MESSAGE.timestamp} ${MESSAGE.body} {other}`
    const expected = createHmac('sha512', 'the bytes').update(payload).digest('base64')
    expect(headers.get('x-signed')).toBe(`sha512=${expected}`)
    expect(headers.get('x-time')).toBe(String(MESSAGE.timestamp))
    expect(headers.get('svix-id')).toBe(MESSAGE.id)
  })

  it('leave the time out where an HMAC plan says so', () => {
    const headers = planned({ includeTimestamp: false })
    expect(headers.get('x-signature')).toBe(hex('sha256', 'the key', MESSAGE.body))
    expect(headers.has('x-timestamp')).toBe(false)
  })

  it('show a bearer plan’s token, unless the server’s own headers authorise', () => {
    const plan = { type: 'bearer', token: 't-1' } as const
    const authorization = (server: object) => messageHeaders({ url: URL, ...server }, MESSAGE)
    expect(authorization({ authenticationPlan: plan }).get('authorization')).toBe('Bearer t-1')
    expect(
      authorization({ authenticationPlan: { ...plan, headerName: 'x-key', bearerPrefixEnabled: false } }).get(
        'x-key',
      ),
    ).toBe('t-1')
    expect(
      authorization({ authenticationPlan: plan, headers: { Authorization: 'Basic own' } }).get(
        'authorization',
      ),
    ).toBe('Basic own')
  })

  it('let no header of the server’s pass for a signature', () => {
    const headers = messageHeaders(
      { url: URL, secret: 's', headers: { 'Webhook-Signature': 'v1,forged', 'x-own': 'kept' } },
      MESSAGE,
    )
    expect(headers.get('webhook-signature')).not.toContain('forged')
    expect(headers.get('x-own')).toBe('kept')
  })
})
