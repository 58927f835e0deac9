import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CANARY, KEYS, type RunningBackend, runBackend } from './testing/running-backend.js'

const REQUESTS = 600
const SEED = 20261120

let backend: RunningBackend
beforeAll(async () => {
  backend = await runBackend()
  await backend.client(KEYS.secret).from('visitors').insert(CANARY)
})
afterAll(() => backend.close())

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const COLUMNS = [
  'slug',
  'name',
  'system',
  'first_message',
  'listed',
  'id',
  'created_at',
  'visitors',
  'ctid',
  'zip',
  '"slug"',
]
const OPERATORS = [
  'eq',
  'neq',
  'gt',
  'like',
  'ilike',
  'in',
  'is',
  'not.eq',
  'not.in',
  'match',
  'fts',
  'like(any)',
  'cs',
  '',
  '.',
]
const TEXTS = [
  '',
  '*',
  '%',
  '_',
  '\\',
  '\\\\',
  '"',
  '""',
  "'",
  "''",
  '`',
  '()',
  '(',
  ')',
  '(,)',
  '("',
  '{}',
  '{a',
  '[]',
  'null',
  'true',
  '0',
  '-1',
  '1e999',
  '99999999999999999999',
  'NaN',
  '\u0000',
  '%00',
  '%zz',
  '%',
  '\ud800',
  '\uffff',
  'é',
  '𝄞',
  '\u202e',
  '\n',
  '\t',
  '--',
  '/*',
  ';drop table visitors;--',
  "' or true --",
  '" or true --',
  '$1',
  '$$',
  '::regclass',
  '->>a',
  '..',
  '../..',
  'public.visitors',
  'a'.repeat(300),
  '('.repeat(200),
  '"'.repeat(301),
  'select',
  'count()',
  '*,*',
  'a:b:c::d',
  'slug::text',
  'x:slug',
  '...x(*)',
  'now',
  'infinity',
  '2026-01-01',
  CANARY.slug,
  CANARY.system,
]
const BODIES = [
  ...TEXTS,
  '{}',
  '[{}]',
  '[[]]',
  '{"slug":1}',
  '{"slug":"\\u0000"}',
  '{"slug":"\\ud800"}',
  '{"id":"x"}',
  '{"listed":"maybe"}',
  '{"":1}',
  '{"__proto__":1}',
  '{"a\\"b":1}',
  '[{"slug":"a"},{"name":"b"}]',
  `${'['.repeat(5000)}`,
  `{"slug":${'['.repeat(90)}${']'.repeat(90)}}`,
  '\\"'.repeat(20_000),
]
const METHODS = ['GET', 'GET', 'GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS', 'REPORT']
const HEADERS = [
  'prefer',
  'accept',
  'range',
  'accept-profile',
  'content-profile',
  'content-type',
  'x-visitor-slug',
  'x-supabase-api-version',
]

function* hostileRequests(key: string): Generator<Request> {
  const random = randomNumbers(SEED)
  const any = <T>(list: readonly [T, ...T[]] | readonly T[]): T =>
    list[Math.floor(random() * list.length)] as T
  const sometimes = (chance: number) => random() < chance
  /** As it is, or encoded: both come in addresses. Half a character cannot be encoded. */
  const written = (text: string) =>
    sometimes(0.5) ? text : encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
  for (let made = 0; made < REQUESTS; made++) {
    const method = any(METHODS)
    const parameters: string[] = []
    if (sometimes(0.5))
      parameters.push(`select=${written(any([...COLUMNS, ...TEXTS]))},${written(any(TEXTS))}`)
    while (sometimes(0.6))
      parameters.push(`${written(any([...COLUMNS, ...TEXTS]))}=${any(OPERATORS)}.${written(any(TEXTS))}`)
    if (sometimes(0.2))
      parameters.push(
        `order=${written(any([...COLUMNS, ...TEXTS]))}.${written(any(['asc', 'desc', 'nullsfirst', ...TEXTS]))}`,
      )
    for (const name of ['limit', 'offset', 'columns', 'on_conflict', 'or'])
      if (sometimes(0.08)) parameters.push(`${name}=${written(any(TEXTS))}`)
    const path = sometimes(0.8) ? 'visitors' : written(any(TEXTS))
    const headers = new Headers({ apikey: sometimes(0.95) ? key : 'wrong' })
    while (sometimes(0.4)) {
      try {
        headers.set(
          any(HEADERS),
          any([...TEXTS, 'count=exact', 'return=representation', '0-5', 'application/vnd.pgrst.object+json']),
        )
      } catch {
        // No HTTP client and no server lets such a header through.
      }
    }
    const body = method === 'GET' || method === 'HEAD' ? null : any(BODIES)
    yield new Request(`http://localhost/rest/v1/${path}?${parameters.join('&')}`, { method, headers, body })
  }
}

describe(`${REQUESTS} hostile requests`, () => {
  it('with the public key are answered without a server error, and find nobody', async () => {
    const statuses = new Set<number>()
    for (const request of hostileRequests(KEYS.publishable)) {
      const named = request.headers.get('x-visitor-slug') === CANARY.slug
      const response = await backend.serve(request)
      const text = await response.text()
      expect(response.status, request.url).toBeLessThan(500)
      // An error may repeat what was asked; a row tells what was not.
      if (response.ok && !named) expect(text, request.url).not.toContain(CANARY.first_message)
      statuses.add(response.status)
    }
    // Not all of them may die at the door.
    expect([...statuses]).toEqual(expect.arrayContaining([200, 204, 400, 401, 404, 405, 406]))
    const { rows } = await backend.db.query('select slug from public.visitors order by slug')
    expect(rows).toHaveLength(3)
  })

  it('with the secret key are answered without a server error', async () => {
    for (const request of hostileRequests(KEYS.secret))
      expect((await backend.serve(request)).status, request.url).toBeLessThan(500)
    expect(backend.log).toEqual([])
  })
})

describe('requests that are too large', () => {
  const headers = { apikey: KEYS.publishable }
  it('refuses an address of 40,000 characters', async () => {
    const url = `http://localhost/rest/v1/visitors?${'slug=eq.a&'.repeat(4000)}`
    expect((await backend.serve(new Request(url, { headers }))).status).toBe(414)
  })

  it('takes as many columns and filters as fit in an address', async () => {
    const columns = `http://localhost/rest/v1/visitors?select=${'id,'.repeat(10_000)}id`
    expect((await backend.serve(new Request(columns, { headers }))).status).toBe(400)
    const filters = `http://localhost/rest/v1/visitors?${'id=is.null&'.repeat(2900)}`
    expect((await backend.serve(new Request(filters, { headers }))).status).toBe(200)
  })

  it('refuses a body that has no length and does not end', async () => {
    let sent = 0
    const body = new ReadableStream({
      pull(controller) {
        sent += 65_536
        controller.enqueue(new Uint8Array(65_536).fill(0x20))
      },
    })
    const request = new Request('http://localhost/rest/v1/visitors', {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
    } as RequestInit)
    expect((await backend.serve(request)).status).toBe(413)
    expect(sent).toBeLessThan(2_000_000)
  })

  it('refuses a body that is not UTF-8, or breaks off', async () => {
    const post = (body: BodyInit) =>
      backend.serve(
        new Request('http://localhost/rest/v1/visitors', {
          method: 'POST',
          headers,
          body,
          duplex: 'half',
        } as RequestInit),
      )
    expect((await post(new Uint8Array([0x22, 0xff, 0x22]))).status).toBe(400)
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) })
    expect((await post(broken)).status).toBe(400)
    expect(backend.log).toEqual([])
  })
})
