import type { Db } from '@heyline/database'
import { PlatformClient, ValidationError } from '@heyline/platform-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KEYS, type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'

let db: Db
let bench: PlatformBench
beforeAll(async () => {
  db = await openPlatformDb()
  bench = await startPlatform(db, { allowedOrigins: ['https://pages.example'] })
})
afterAll(async () => {
  await bench.close()
  await db.close()
})

const INVALID_KEY = expect.stringMatching(/^Invalid Key\. .*private key instead of the public key/)
const assistant = { firstMessage: 'Hello.', model: { provider: 'openai', model: 'gpt-4o-mini' } }
const body = async (response: Response) => ({ status: response.status, body: await response.json() })

describe('keys', () => {
  it.each([
    ['GET', '/call'],
    ['GET', '/assistant'],
    ['POST', '/assistant'],
    ['POST', '/call'],
    ['GET', '/call/7d3a1f1e-5a55-4b61-9a5e-0f2a3a3b1c11'],
    ['GET', '/phone-number'],
  ])('the public key may not %s %s', async (method, path) => {
    const input = method === 'POST' ? {} : undefined
    expect(await body(await bench.request(method, path, input, KEYS.public))).toEqual({
      status: 401,
      body: { message: INVALID_KEY, error: 'Unauthorized', statusCode: 401 },
    })
  })

  it.each([['nonsense'], [''], [`${KEYS.private}x`]])('the key "%s" may nothing', async (key) => {
    expect((await bench.request('POST', '/call/web', { assistant }, key)).status).toBe(401)
    expect((await bench.request('GET', '/call', undefined, key)).status).toBe(401)
  })

  it('a request without a key is refused', async () => {
    const response = await bench.platform.fetch(new Request('http://platform/call'))
    expect(response.status).toBe(401)
  })

  it('both keys start web calls', async () => {
    const { id: assistantId } = await bench.client.assistants.create(assistant)
    for (const key of [KEYS.public, KEYS.private])
      expect((await bench.request('POST', '/call/web', { assistantId }, key)).status).toBe(201)
  })
})

describe('what is not served', () => {
  it.each([
    ['POST', '/structured-output'],
    ['GET', '/eval/run/7d3a1f1e-5a55-4b61-9a5e-0f2a3a3b1c11'],
    ['POST', '/eval/simulation'],
    ['GET', '/reporting/insight'],
    ['GET', '/reporting/board'],
    ['GET', '/observability/scorecard'],
    ['GET', '/provider/11labs/pronunciation-dictionary'],
  ])('%s %s says so', async (method, path) => {
    expect(await body(await bench.request(method, path))).toEqual({
      status: 422,
      body: {
        message: `${method} ${path} is not served by the built-in voice platform.`,
        error: 'Not Served',
        statusCode: 422,
      },
    })
  })

  it.each([
    ['POST', '/voice-library/create-sesame-voice', 'the hosted platform: Sesame documents no API for it'],
  ])('%s %s says what it needs', async (method, path, needs) => {
    const { status, body: answer } = await body(await bench.request(method, path))
    expect([status, answer.error]).toEqual([422, 'Not Served'])
    expect(answer.message).toBe(
      `${method} ${path} is not served by the built-in voice platform: it needs ${needs}.`,
    )
  })

  it('is an error of our client at once, and of a client that tries again after 408, 429 and every 5xx', async () => {
    let asked = 0
    const client = new PlatformClient({
      token: KEYS.private,
      baseUrl: 'http://platform',
      fetch: (input, init) => {
        asked += 1
        return bench.platform.fetch(new Request(input, init))
      },
    })
    const error = await client.campaigns.list().catch((failure: unknown) => failure)
    expect(error).toBeInstanceOf(ValidationError)
    expect(error).toMatchObject({
      status: 422,
      code: 'not_served',
      message: expect.stringContaining('GET /campaign is not served by the built-in voice platform'),
    })
    expect(asked).toBe(1)
    // The rule of @vapi-ai/server-sdk, which declares no licence and is therefore no dependency.
    const { status } = await bench.request('GET', '/campaign')
    expect(status === 408 || status === 429 || status >= 500).toBe(false)
  })

  it('the credential webhook asks for no key', async () => {
    const response = await bench.platform.fetch(
      new Request('http://platform/credential/webhook', { method: 'POST' }),
    )
    expect(response.status).toBe(422)
  })

  it('a path that the platform has not answers 404, with or without a key', async () => {
    const expected = {
      status: 404,
      body: { message: 'Cannot GET /nonsense/there', error: 'Not Found', statusCode: 404 },
    }
    expect(await body(await bench.request('GET', '/nonsense/there'))).toEqual(expected)
    expect(await body(await bench.platform.fetch(new Request('http://platform/nonsense/there')))).toEqual(
      expected,
    )
  })
})

describe('assistants', () => {
  it('are stored and listed, newest first', async () => {
    const first = await bench.client.assistants.create({ name: 'First', firstMessage: 'One.' })
    const second = await bench.client.assistants.create({ name: 'Second', metadata: { a: [1, null] } })
    expect(first).toMatchObject({ name: 'First', firstMessage: 'One.', id: expect.any(String) })
    expect(second.orgId).toBe(first.orgId)
    const listed = await bench.client.assistants.list({ createdAtGe: first.createdAt })
    expect(listed.map(({ id }) => id).sort()).toEqual([first.id, second.id].sort())
    expect(listed.find(({ id }) => id === second.id)).toEqual(second)
    expect(await bench.client.assistants.list({ createdAtGt: second.createdAt })).toEqual([])
    expect(await bench.client.assistants.list({ limit: 1 })).toHaveLength(1)
    expect(await bench.client.assistants.list({ limit: 0 })).toEqual([])
  })

  it('unknown or malformed filters are refused', async () => {
    for (const query of ['limit=1001', 'limit=x', 'createdAtGt=yesterday', 'page=2'])
      expect((await bench.request('GET', `/assistant?${query}`)).status).toBe(400)
  })
})

describe('calls', () => {
  it('are found by id, and listed with filters', async () => {
    const { id: assistantId } = await bench.client.assistants.create({ name: 'Listed' })
    const one = await bench.client.calls.createWeb({ assistantId })
    const two = await bench.client.calls.createWeb({ assistantId })
    const listed = await bench.client.calls.list({ assistantId })
    expect(listed.map(({ id }) => id).sort()).toEqual([one.id, two.id].sort())
    expect(await bench.client.calls.list({ assistantId, id: two.id })).toHaveLength(1)
    const found = await bench.client.calls.get(one.id)
    expect(found).toMatchObject({ id: one.id, assistantId, type: 'webCall', status: 'queued' })
    expect(found).not.toHaveProperty('webCallUrl')
  })

  it('a call that is not there answers 404, a malformed id 400', async () => {
    const missing = crypto.randomUUID()
    expect(await body(await bench.request('GET', `/call/${missing}`))).toEqual({
      status: 404,
      body: { message: `Call ${missing} does not exist.`, error: 'Not Found', statusCode: 404 },
    })
    expect((await bench.request('GET', '/call/7')).status).toBe(400)
  })
})

describe('origins', () => {
  const preflight = (origin: string) =>
    bench.platform.fetch(
      new Request('http://platform/call/web', {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type',
        },
      }),
    )

  it('the own page and allowed origins may use the API, errors included', async () => {
    for (const origin of [bench.publicUrl, 'https://pages.example']) {
      const response = await preflight(origin)
      expect(response.status).toBe(204)
      expect(response.headers.get('access-control-allow-origin')).toBe(origin)
      expect(response.headers.get('access-control-allow-headers')).toMatch(/authorization/)
      expect(response.headers.get('access-control-allow-credentials')).toBeNull()
    }
    const refused = await bench.platform.fetch(
      new Request('http://platform/call', { headers: { origin: 'https://pages.example' } }),
    )
    expect(refused.status).toBe(401)
    expect(refused.headers.get('access-control-allow-origin')).toBe('https://pages.example')
  })

  it('other origins may not', async () => {
    const response = await preflight('https://elsewhere.example')
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })
})

it.each([
  ['an answer', '/template', KEYS.private, 200],
  ['a refusal', '/template', 'nobody', 401],
  ['what is not served', '/org/1/2/3', KEYS.private, 422],
])('has nobody keep %s', async (_, path, key, status) => {
  const answer = await bench.request('GET', path, undefined, key)
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([status, 'no-store'])
})
