import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json as jsonBody, text as textBody } from 'node:stream/consumers'
import type { Db } from '@heyline/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'

const KEYS: Record<string, [header: string, value: string]> = {
  'api.elevenlabs.io': ['xi-api-key', 'eleven-key'],
  'eu1.make.com': ['authorization', 'Token make-key'],
  'services.leadconnectorhq.com': ['authorization', 'Bearer leads-key'],
}
const VOICE = {
  ...{ voice_id: 'v1', name: 'Ada', preview_url: 'https://a.example/v1.mp3', description: null },
  labels: { gender: 'female', accent: 'irish', age: 'young' },
}
const SHARED = { voice_id: 's1', name: 'Bo', public_owner_id: 'o1', gender: 'male', accent: 'british' }

/** What each party answers, by its host, method and path with queries. */
const answers: Record<string, (request: IncomingMessage) => unknown> = {
  'api.elevenlabs.io GET /v1/shared-voices?search=bo&page_size=100': () => ({
    voices: [SHARED],
    has_more: true,
  }),
  'api.elevenlabs.io POST /v1/voices/add/o1/s1': async (request) => {
    expect(await jsonBody(request)).toEqual({ new_name: 'Ours' })
    return { voice_id: 'v2' }
  },
  'api.elevenlabs.io POST /v1/voices/add': async (request) => {
    const sent = await textBody(request)
    const isMine = sent.includes('name="name"\r\n\r\nMine')
    const parts = isMine ? ['filename="me.wav"', 'sound of me'] : ['filename="0.wav"', 'filename="24.wav"']
    for (const part of parts) expect(sent).toContain(part)
    return { voice_id: 'v3', requires_verification: false }
  },
  'eu1.make.com GET /api/v2/scenarios?teamId=4&pg%5Blimit%5D=1000': () => ({
    scenarios: [{ id: 9, name: 'Book' }],
  }),
  'eu1.make.com GET /api/v2/hooks?teamId=4&assigned=true': () => ({
    hooks: [
      { id: 1, scenarioId: 9, url: 'https://hook.example/1' },
      { id: 2, scenarioId: 10 },
    ],
  }),
  'services.leadconnectorhq.com GET /workflows/?locationId=l1': ({ headers }) =>
    headers.version === '2021-07-28' && { workflows: [{ id: 'w1', name: 'Lead' }] },
  'services.leadconnectorhq.com GET /locations/search?limit=1000': () => ({ locations: [{ id: 'l1' }] }),
}

let own: unknown[] = []
/** The status and body of all answers, where a test sets them. */
let failing: { status: number; body: string; location?: string } | undefined
beforeEach(() => {
  own = [VOICE]
  failing = undefined
})

const parties = createServer(async (request, response): Promise<unknown> => {
  const host = String(request.headers['x-for'])
  const [header = '', value] = KEYS[host] ?? []
  if (failing) {
    const { status, body, location } = failing
    return response.writeHead(status, location === undefined ? {} : { location }).end(body)
  }
  if (request.headers[header] !== value) return response.writeHead(401).end('{}')
  if (request.url?.startsWith('/v2/voices')) {
    const isNext = request.url.includes('next_page_token=more')
    const page = isNext
      ? { voices: own.slice(1), has_more: false }
      : { voices: own.slice(0, 1), has_more: own.length > 1, next_page_token: 'more' }
    return response.end(JSON.stringify(page))
  }
  const answer = answers[`${host} ${request.method} ${request.url}`]
  if (!answer) return response.writeHead(404).end('{"detail":{"message":"no such thing"}}')
  return response.end(JSON.stringify(await answer(request)))
})

let db: Db
let bench: PlatformBench
beforeAll(async () => {
  parties.listen(0, '127.0.0.1')
  await once(parties, 'listening')
  const { port } = parties.address() as AddressInfo
  db = await openPlatformDb()
  bench = await startPlatform(db, {
    resourcesKey: Buffer.alloc(32, 7),
    // The parties' own addresses lead to the stand-in, which is told which one was meant.
    fetch: (input, init) => {
      const url = new URL(String(input))
      expect(url.protocol).toBe('https:')
      const headers = new Headers(init?.headers)
      headers.set('x-for', url.host)
      return fetch(`http://127.0.0.1:${port}${url.pathname}${url.search}`, { ...init, headers })
    },
  })
})
afterAll(async () => {
  await bench.close()
  await db.close()
  parties.close()
})

const asked = async (method: string, path: string, body?: unknown) => {
  const response = await bench.request(method, path, body)
  return { status: response.status, body: await response.json() }
}

it.each([
  ['GET', '/11labs/voice/search?name=bo', '{"provider":"11labs"'],
  ['POST', '/voice-library/sync', '{"provider":"11labs"'],
  ['GET', '/make/workflows', '{"provider":"make"'],
  ['GET', '/ghl/locations', '{"provider":"gohighlevel"'],
])('%s %s without an account says which credential it needs', async (method, path, credential) => {
  const { status, body } = await asked(method, path, method === 'POST' ? {} : undefined)
  expect(status).toBe(422)
  expect(body.message).toContain(`, stored by POST /credential as ${credential}`)
})

describe('with the accounts', () => {
  beforeAll(async () => {
    for (const credential of [
      { provider: '11labs', apiKey: 'eleven-key' },
      { provider: 'make', apiKey: 'make-key', teamId: '4', region: 'eu1' },
      { provider: 'gohighlevel', apiKey: 'leads-key' },
    ])
      expect((await asked('POST', '/credential', credential)).status).toBe(201)
  })

  it('finds voices in the library, and adds one', async () => {
    const found = { voiceId: 's1', name: 'Bo', publicOwnerId: 'o1', gender: 'male', accent: 'british' }
    expect(await bench.client.providers.searchVoice('11labs', { name: 'bo' })).toEqual([found])
    expect((await asked('GET', '/11labs/voices/search?name=bo')).body).toEqual([found])
    const added = await asked('POST', '/11labs/voice/add', { ownerId: 'o1', voiceId: 's1', name: 'Ours' })
    expect(added).toMatchObject({
      status: 201,
      body: { provider: '11labs', providerId: 'v2', name: 'Ours', isDeleted: false },
    })
  })

  it('clones a voice of recordings', async () => {
    await bench.client.providers.cloneVoice({ name: 'Mine', files: [new File(['sound of me'], 'me.wav')] })
    const { rows } = await db.query<{ settings: unknown }>(
      "select settings from voice_platform.resources where family = 'voice' and settings ->> 'name' = 'Mine'",
      [],
    )
    expect(rows).toEqual([{ settings: expect.objectContaining({ provider: '11labs', providerId: 'v3' }) }])
  })

  it('clones a voice of as many recordings as there may be', async () => {
    const files = Array.from({ length: 25 }, (_, at) => new File(['sound'], `${at}.wav`))
    const fields = { name: 'Many', description: 'Twenty-five times me', labels: '{}' }
    await bench.client.providers.cloneVoice({ ...fields, files })
    const more = bench.client.providers.cloneVoice({ ...fields, files: [...files, ...files] })
    await expect(more).rejects.toThrow('The form has more than 40 parts.')
  })

  it('keeps the voices of the account, page by page, and marks those that are gone', async () => {
    own = [VOICE, { voice_id: 'v9', name: 'Cy', labels: null }]
    const first = await asked('POST', '/voice-library/sync/11labs')
    const shown = (body: { providerId: string; isDeleted: boolean }[]) =>
      Object.fromEntries(body.map(({ providerId, isDeleted }) => [providerId, isDeleted]))
    expect(shown(first.body)).toMatchObject({ v1: false, v9: false })
    expect(first.body).toContainEqual(
      expect.objectContaining({
        providerId: 'v1',
        gender: 'female',
        accent: 'irish',
        previewUrl: 'https://a.example/v1.mp3',
      }),
    )
    own = [VOICE]
    const second = await asked('POST', '/voice-library/sync', {})
    expect(shown(second.body)).toMatchObject({ v1: false, v9: true })
    expect(second.body).toHaveLength(first.body.length)
  })

  it('takes the voices up of one provider and of a list, and says which has none', async () => {
    const { voiceLibraries } = bench.client
    for (const providers of ['11labs', ['11labs'], ['11labs', '11labs']])
      expect(await voiceLibraries.sync({ providers })).toContainEqual(
        expect.objectContaining({ providerId: 'v1' }),
      )
    expect(await asked('POST', '/voice-library/sync', { providers: ['11labs', 'playht'] })).toMatchObject({
      status: 422,
      body: { message: 'playht has no voice library here: 11labs has.' },
    })
    const NEITHER = 'providers must be the name of a provider, or a list of 1 to 20'
    for (const [providers, message] of [
      [7, NEITHER],
      [[], NEITHER],
      [[7], 'providers.0 must be a string'],
    ])
      expect(await asked('POST', '/voice-library/sync', { providers })).toMatchObject({
        status: 400,
        body: { message: [message] },
      })
  })

  it('lists workflows, their hooks and locations', async () => {
    expect((await asked('GET', '/make/workflows')).body).toEqual({ scenarios: [{ id: 9, name: 'Book' }] })
    expect((await asked('GET', '/make/workflows/9/hooks')).body).toEqual({
      hooks: [{ id: 1, scenarioId: 9, url: 'https://hook.example/1' }],
    })
    expect((await asked('GET', '/ghl/workflows?locationId=l1')).body).toEqual({
      workflows: [{ id: 'w1', name: 'Lead' }],
    })
    expect((await asked('GET', '/gohighlevel/locations')).body).toEqual({ locations: [{ id: 'l1' }] })
    expect((await asked('GET', '/zapier/workflows')).status).toBe(422)
  })

  it.each([
    ['a wrong key', { status: 403, body: '{}' }, 400, /does not accept the key/],
    ['too many requests', { status: 429, body: '' }, 429, /too often/],
    [
      'an unknown voice',
      { status: 404, body: '{"detail":{"message":"gone"}}' },
      404,
      /ElevenLabs refuses this: gone/,
    ],
    ['a refusal without words', { status: 400, body: '<p>' }, 400, /its answer is 400/],
    ['a fault', { status: 500, body: 'x' }, 503, /answered 500/],
    ['another shape', { status: 200, body: '{"voices":[{}]}' }, 503, /cannot be read/],
    ['an endless answer', { status: 200, body: 'x'.repeat(4_000_001) }, 503, /cannot be reached/],
    [
      'a redirect',
      { status: 302, body: '', location: 'https://elsewhere.example/' },
      503,
      /cannot be reached/,
    ],
  ])('says what the party does not do, by %s', async (_, answer, status, message) => {
    failing = answer
    const refused = await asked('GET', '/11labs/voice/search?name=bo')
    expect(refused.status).toBe(status)
    expect(refused.body.message).toMatch(message)
    expect(JSON.stringify(refused.body)).not.toContain('eleven-key')
  })
})

it('is not for the public key', async () => {
  const request = new Request('http://platform/11labs/voice/search?name=bo')
  request.headers.set('authorization', 'Bearer public-key-for-tests')
  expect((await bench.platform.fetch(request)).status).toBe(401)
})
