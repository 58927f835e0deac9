import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { messageHeaders } from '../../../voice-platform/src/calls/message-signature.js'
import { HookVerifier } from './hook-verifier.js'

const body = Buffer.from('{"message":{"type":"hang","note":"Grüße \u{1f600}"}}')
const timestamp = 1_790_000_000
const plain = 'a-secret-of-the-hook'
const standard = 'whsec_QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWY='

/** At the time of the vectors, unless another is given. */
const verifierOf = (secrets: string[] = [plain], now = timestamp * 1000) =>
  new HookVerifier(secrets, () => now)
const verify = (headers: Record<string, string>, secrets?: string[], now?: number) =>
  verifierOf(secrets, now).verify(new Headers(headers), body)

const id = 'msg_1'
const signed = (signature: string) => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': signature,
})

describe('test vectors', () => {
  const vectors: [name: string, secret: string, headers: Record<string, string>][] = [
    [
      'Standard Webhooks, a secret in Base64',
      standard,
      signed('v1,x+TY8osU2e3ioquS3GP473v+LdDdqPPS5VvV5IPC/vk='),
    ],
    [
      'Standard Webhooks, a secret of plain text',
      plain,
      signed('v1,LcABnLEdSLdsR6Rb3+hNK9RbF8SyWsf4c0kPBePQR6Y='),
    ],
    [
      'HMAC with a time in seconds',
      plain,
      {
        'x-timestamp': String(timestamp),
        'x-signature': '72479b4e1c61e38406e5492a0d398f3ca22510a2e022966d28a137d76d7c4b76',
      },
    ],
    [
      'HMAC with a time in milliseconds',
      plain,
      {
        'x-timestamp': `${timestamp}123`,
        'x-signature': '8c84c6c952520f94951fd8780e6d94606886166740c1d3029e2f1cf5de276a96',
      },
    ],
    [
      'HMAC of the body',
      plain,
      { 'x-vapi-signature': 'f2e7ebf38d22d915b0edfb7f6ab84f7661502fdc634ed28352b42a242c8ee65e' },
    ],
    ['the secret itself', plain, { 'x-vapi-secret': plain }],
    ['the secret as a bearer token', plain, { authorization: `Bearer ${plain}` }],
  ]

  it.each(vectors)('%s', (_, secret, headers) => {
    expect(verify(headers, [secret])).toBe(true)
    expect(verify(headers, ['another', secret, 'a third'])).toBe(true)
    expect(verify(headers, ['another'])).toBe(false)
    expect(verifierOf([secret]).verify(new Headers(headers), Buffer.concat([body, Buffer.from(' ')]))).toBe(
      // The last two do not sign what they come with.
      'x-vapi-secret' in headers || 'authorization' in headers,
    )
  })
})

describe('a Standard Webhooks signature', () => {
  const now = new Date()

  it('of the package standardwebhooks is right', () => {
    const signature = new Webhook(standard).sign(id, now, body)
    const headers = { ...signed(signature), 'webhook-timestamp': String(Math.floor(now.getTime() / 1000)) }
    expect(verify(headers, [standard], now.getTime())).toBe(true)
    expect(() => new Webhook(standard).verify(body, headers)).not.toThrow()
    const forged = { ...headers, 'webhook-id': 'msg_2' }
    expect(verify(forged, [standard], now.getTime())).toBe(false)
    expect(() => new Webhook(standard).verify(body, forged)).toThrow()
  })

  it('may be one of several', () => {
    const [mine, other] = [standard, 'whsec_eHh4eHh4eHh4eHh4'].map((secret) =>
      new Webhook(secret).sign(id, new Date(timestamp * 1000), body),
    )
    expect(verify(signed(`v1a,abc ${other} ${mine}`), [standard])).toBe(true)
    expect(verify(signed(`${other} v1a,abc`), [standard])).toBe(false)
  })

  it('is one of the first eight of its header', () => {
    const mine = new Webhook(standard).sign(id, new Date(timestamp * 1000), body)
    const wrong = `v1,${'A'.repeat(43)}= `
    expect(verify(signed(wrong.repeat(7) + mine), [standard])).toBe(true)
    expect(verify(signed(wrong.repeat(8) + mine), [standard])).toBe(false)
  })

  it.each(['webhook-id', 'webhook-timestamp'])('needs %s', (missing) => {
    const { [missing]: _, ...headers } = signed(
      new Webhook(standard).sign(id, new Date(timestamp * 1000), body),
    ) as Record<string, string>
    expect(verify(headers, [standard])).toBe(false)
  })
})

describe('the headers of the built-in platform', () => {
  const url = 'http://localhost/-/hooks/platform'
  const message = { id, timestamp, body: body.toString() }

  it.each([plain, standard])('are right with a secret (%s)', (secret) => {
    const headers = messageHeaders({ url, secret }, message)
    expect(verifierOf([secret]).verify(headers, body)).toBe(true)
    // Each of them by itself.
    for (const header of ['webhook-signature', 'x-vapi-signature']) {
      headers.delete(header)
      expect(verifierOf([secret]).verify(headers, body)).toBe(true)
    }
  })

  it('are right with a plan', () => {
    const plans = [
      { type: 'hmac', secretKey: plain, algorithm: 'sha256' },
      { type: 'bearer', token: plain },
    ] as const
    for (const authenticationPlan of plans)
      expect(verifierOf().verify(messageHeaders({ url, authenticationPlan }, message), body)).toBe(true)
  })
})

describe('of several proofs', () => {
  const right = { 'x-vapi-secret': plain, authorization: `Bearer ${plain}` }
  const hex = createHmac('sha256', plain).update(body).digest('hex')

  const wrongs: Record<string, string>[] = [
    signed('v1,d3Jvbmc='),
    signed(''),
    { 'x-signature': hex, 'x-timestamp': String(timestamp) },
    { 'x-signature': hex },
    { 'x-vapi-signature': hex.replace(/^./, (first) => (first === '0' ? '1' : '0')) },
    { 'x-vapi-signature': '' },
  ]
  it.each(wrongs)('a wrong signature decides: %j', (wrong) => {
    expect(verify({ ...right, ...wrong })).toBe(false)
  })

  it('a weaker one is not looked at', () => {
    expect(verify({ 'x-vapi-signature': hex.toUpperCase(), 'x-vapi-secret': 'wrong' })).toBe(true)
    expect(verify({ 'x-vapi-secret': plain, authorization: 'Basic YTpi' })).toBe(true)
    expect(verify({ 'x-vapi-secret': 'wrong', authorization: `Bearer ${plain}` })).toBe(false)
  })
})

describe('a time', () => {
  it.each([
    ['webhook-timestamp', 300, true],
    ['webhook-timestamp', 301, false],
    ['webhook-timestamp', -300, true],
    ['webhook-timestamp', -301, false],
    ['x-timestamp', 300, true],
    ['x-timestamp', 301, false],
  ])('in %s may be %d s ago: %s', (header, seconds, expected) => {
    expect(verify({ 'x-vapi-secret': plain, [header]: String(timestamp - seconds) })).toBe(expected)
    expect(verify({ 'x-vapi-secret': plain, [header]: String((timestamp - seconds) * 1000) })).toBe(expected)
  })

  it.each(['', 'now', '-1', '1e9', '0x10', '99999999999999999999'])('must be one: %j', (odd) => {
    expect(verify({ 'x-vapi-secret': plain, 'x-timestamp': odd })).toBe(false)
  })
})

describe('before the body is read', () => {
  const base64 = `v1,${'A'.repeat(43)}=`
  const hex = 'A'.repeat(64)
  it.each<[may: boolean, Record<string, string>]>([
    [true, signed(base64)],
    [false, { 'webhook-signature': base64 }],
    [false, signed('a '.repeat(7_000))],
    [false, signed(base64.replace('v1', 'v1a'))],
    [false, { ...signed(base64), 'webhook-timestamp': String(timestamp - 301) }],
    [true, { 'x-signature': hex, 'x-timestamp': String(timestamp) }],
    [false, { 'x-signature': hex }],
    [false, { 'x-signature': `${hex}A`, 'x-timestamp': String(timestamp) }],
    [true, { 'x-vapi-signature': hex }],
    [false, { 'x-vapi-signature': 'a' }],
    [true, { 'x-vapi-secret': plain }],
    [false, { 'x-vapi-secret': 'wrong' }],
    [true, { authorization: `Bearer ${plain}` }],
    [false, { authorization: 'Bearer wrong' }],
  ])('a proof may be right: %j, %j', (may, headers) => {
    expect(verifierOf().hasProof(new Headers(headers))).toBe(may)
  })
})

describe('no proof', () => {
  const none: Record<string, string>[] = [{}, { 'webhook-id': id }, { 'x-api-key': plain }]
  it.each(none)('is none: %j', (headers) => {
    expect(verifierOf().hasProof(new Headers(headers))).toBe(false)
    expect(verify(headers)).toBe(false)
  })

  it.each([[[]], [['']], [['whsec_']], [[plain, '']]])('can be made without a secret: %j', (secrets) => {
    expect(() => new HookVerifier(secrets)).toThrow('hookSecrets')
  })
})
