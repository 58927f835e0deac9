import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { ManualClock } from '@heyline/kit/manual-clock'
import { describe, expect, it } from 'vitest'
import { MIRROR_HEADER, MirrorProof } from './mirror-proof.js'
import { mirrorRoute } from './mirror-route.js'
import { seenRequest } from './seen-request.js'

const SECRET = 'sb_secret_of_this_installation'
/** When everything happens, in ms. */
const NOW = Date.UTC(2026, 10, 24)
const proofs = new MirrorProof(SECRET, { now: () => NOW })

function opened(trustProxy?: number) {
  const clock = new ManualClock(NOW)
  const route = mirrorRoute({ secretKey: SECRET, publicUrl: 'https://demo.example', trustProxy, clock })
  const ask = (
    header: string | undefined,
    { path = '/-/mirror', body, told }: { path?: string; body?: Uint8Array; told?: string } = {},
  ) => {
    const request = new Request(`http://localhost${path}`, {
      headers: header === undefined ? {} : { [MIRROR_HEADER]: header },
      ...(body && { method: 'POST', body: Buffer.from(body) }),
    })
    const socket = new Socket()
    Object.defineProperty(socket, 'remoteAddress', { value: '127.0.0.1' })
    const incoming = new IncomingMessage(socket)
    incoming.httpVersion = '1.1'
    if (told !== undefined) incoming.headers['x-forwarded-for'] = told
    return route(request, incoming)
  }
  return { ask, clock }
}
const seen = async (answer: Promise<Response>) => seenRequest.parse(await (await answer).json())

describe('who has not the key', () => {
  const nonce = 'a'.repeat(32)
  it.each([
    undefined,
    '',
    nonce,
    `${nonce}.`,
    `${nonce}.${'b'.repeat(43)}`,
    new MirrorProof('another secret', { now: () => NOW }).question().header,
    `${proofs.question().header}x`,
    'a.'.repeat(5_000),
  ])('finds nothing there: %j', async (header) => {
    const { ask } = opened()
    const answers = [await ask(header), await ask(header, { path: '/-/mirror?stream' })]
    for (const answer of answers) {
      expect(answer.status).toBe(404)
      expect(await answer.json()).toEqual({ code: 'not_found', message: 'Nothing is served here' })
    }
  })

  it.each([
    ['was made more than five minutes ago', -301_000],
    ['is to be made in more than five minutes', 301_000],
  ])('gets no answer to a question of others that %s', async (_, ms) => {
    const { header } = new MirrorProof(SECRET, { now: () => NOW + ms }).question()
    expect((await opened().ask(header)).status).toBe(404)
  })

  it('can not give a question another time', async () => {
    const { header } = new MirrorProof(SECRET, { now: () => 0 }).question()
    expect((await opened().ask(header.replace(/^0~/, `${NOW / 1000}~`))).status).toBe(404)
    expect((await opened().ask(header.replace(/^0~/, ''))).status).toBe(404)
  })

  it('can not make an answer of a question', () => {
    const { header, answer } = proofs.question()
    expect(header).not.toContain(answer)
    expect(header).not.toContain(SECRET)
    // What was answered is no question.
    expect(proofs.answerTo(`${header.split('.')[0]}.${answer}`)).toBeUndefined()
  })
})

describe('who has the key', () => {
  it.each([-300_000, 300_000])('may have a clock that differs by five minutes: %i ms', async (ms) => {
    const { header } = new MirrorProof(SECRET, { now: () => NOW + ms }).question()
    expect((await opened().ask(header)).status).toBe(200)
  })

  it('is told how the request arrived, by this installation', async () => {
    const { header, answer } = proofs.question()
    expect(await seen(opened(1).ask(header, { told: '203.0.113.77, 198.51.100.7' }))).toMatchObject({
      proof: answer,
      publicUrl: 'https://demo.example',
      address: '198.51.100.7',
      trustProxy: 1,
      forwardedFor: ['203.0.113.77', '198.51.100.7'],
      isProxied: true,
    })
    expect(await seen(opened().ask(proofs.question().header))).toMatchObject({
      address: '127.0.0.1',
      trustProxy: null,
      forwardedFor: [],
      isProxied: false,
    })
  })

  it('has bodies counted, and no longer ones than the server takes', async () => {
    const { ask } = opened()
    const { bytes } = await seen(ask(proofs.question().header, { body: new Uint8Array(1_000_000) }))
    expect(bytes).toBe(1_000_000)
    expect((await ask(proofs.question().header, { body: new Uint8Array(1_200_000) })).status).toBe(413)
  })

  it('gets a stream of two events, and ten at once', async () => {
    const { ask, clock } = opened()
    const stream = () => ask(proofs.question().header, { path: '/-/mirror?stream' })
    const open = await Promise.all(Array.from({ length: 10 }, stream))
    expect((await stream()).status).toBe(429)
    const [first, second] = open
    expect(first?.headers.get('x-accel-buffering')).toBe('no')
    const text = first?.text()
    await second?.body?.cancel()
    expect((await stream()).status).toBe(200)
    clock.advance(3_000)
    expect(await text).toBe('event: first\ndata: {}\n\nevent: last\ndata: {}\n\n')
    expect(clock.pending).toBe(0)
    expect((await stream()).status).toBe(200)
  })
})
