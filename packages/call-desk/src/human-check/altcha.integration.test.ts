import type { Db } from '@heyline/database'
import { type Challenge, type Solution, solveChallenge } from 'altcha-lib'
// What a browser has: WebCrypto alone.
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openDeskDb } from '../testing/desk.js'
import { type AltchaOptions, createAltcha } from './altcha.js'
import type { HumanCheck } from './human-check.js'
import { useCheck } from './used-checks.js'

let db: Db
let lines: string[]
let check: HumanCheck

const checkOf = (changes: Partial<AltchaOptions> = {}) =>
  createAltcha({
    secret: 'check-secret',
    db,
    logger: pino({ base: undefined }, { write: (line: string) => lines.push(line) }),
    cost: 4,
    ...changes,
  })

beforeAll(async () => {
  db = await openDeskDb()
})
afterAll(() => db.close())
beforeEach(async () => {
  await db.exec('delete from call_desk.call_requests')
  lines = []
  check = checkOf()
})
afterEach(() => {
  vi.useRealTimers()
})

const home = '203.0.113.7'

const get = (query: string, method = 'GET', address: string | undefined = home): Promise<Response> => {
  const request = new Request(`https://desk.example/-/human-check${query}`, { method })
  return check.challenge?.(request, address) ?? Promise.reject(new Error('There is no challenge'))
}

async function challengeFor(slug = 'acme', address: string | undefined = home): Promise<Challenge> {
  const response = await get(`?slug=${encodeURIComponent(slug)}`, 'GET', address)
  expect(response.status).toBe(200)
  return response.json()
}

async function solved(challenge: Challenge): Promise<{ challenge: Challenge; solution: Solution }> {
  const solution = await solveChallenge({ challenge, deriveKey })
  if (!solution) throw new Error('The challenge was not solved')
  return { challenge, solution }
}

const tokenOf = (proof: unknown) => Buffer.from(JSON.stringify(proof)).toString('base64')
const verify = (token: string, slug = 'acme', address: string | undefined = home) =>
  check.verify(token, { slug, address })

describe('a challenge', () => {
  it('is work for WebCrypto, bound to its page, for five minutes, and never kept', async () => {
    const before = Date.now()
    const response = await get('?slug=acme')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const { parameters, signature } = await response.json()
    expect(parameters).toMatchObject({
      algorithm: 'PBKDF2/SHA-256',
      data: { slug: 'acme', most: 4 },
    })
    expect(parameters.expiresAt * 1000).toBeGreaterThan(before + 298_000)
    expect(parameters.expiresAt * 1000).toBeLessThanOrEqual(Date.now() + 300_000)
    expect(signature).toMatch(/^[0-9a-f]{64}$/)
  })

  it.each(['', '?slug=', `?slug=${'x'.repeat(201)}`])('is not made for %j', async (query) => {
    const response = await get(query)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'invalid_slug' })
  })

  it('is made for GET, after a preflight', async () => {
    const refusal = await get('?slug=acme', 'POST')
    expect(refusal.status).toBe(405)
    expect(refusal.headers.get('allow')).toBe('GET, OPTIONS')
    const preflight = await get('?slug=acme', 'OPTIONS')
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-methods')).toBe('GET')
  })

  it('fits into a token for the longest slug', async () => {
    const slug = '\u0001'.repeat(200)
    expect(await verify(tokenOf(await solved(await challengeFor(slug))), slug)).toMatch(/^[0-9a-f]{64}$/)
  })
})

describe('what can be a token', () => {
  it('is a challenge with a solution, in Base64, whatever they are worth', async () => {
    expect(check.isToken(tokenOf(await solved(await challengeFor('acme'))))).toBe(true)
    for (const text of ['', 'x', 'e30=', tokenOf({}), tokenOf([]), 'A'.repeat(5000)])
      expect(check.isToken(text)).toBe(false)
  })
})

describe('a solved challenge', () => {
  it('is good, and counts once however it is written', async () => {
    const { challenge, solution } = await solved(await challengeFor())
    const id = await verify(tokenOf({ challenge, solution }))
    expect(id).toMatch(/^[0-9a-f]{64}$/)
    const rewritten = JSON.stringify({ more: 1, solution: { ...solution, time: 1 }, challenge }, null, 2)
    expect(await verify(Buffer.from(rewritten).toString('base64url'))).toBe(id)
    expect(await useCheck(db, id ?? '')).toBe(true)
    expect(await useCheck(db, id ?? '')).toBe(false)
  })

  it('is good for every process that shares the secret, and for no other', async () => {
    const token = tokenOf(await solved(await challengeFor()))
    check = checkOf()
    expect(await verify(token)).toBeDefined()
    check = checkOf({ secret: 'another' })
    expect(await verify(token)).toBeUndefined()
  })

  it('is good for its page alone', async () => {
    const token = tokenOf(await solved(await challengeFor('acme')))
    expect(await verify(token, 'ACME')).toBeUndefined()
    expect(await verify(token, 'other')).toBeUndefined()
  })

  it('is good from another network too: a phone may change it from one request to the next', async () => {
    const proof = await solved(await challengeFor('acme', '203.0.113.7'))
    expect(await verify(tokenOf(proof), 'acme', '2001:db8:1:2::3')).toBeDefined()
    expect(await check.verify(tokenOf(proof), { slug: 'acme', address: undefined })).toBeDefined()
  })

  it('is good until its last second, and not a moment longer', async () => {
    const { challenge, solution } = await solved(await challengeFor())
    const end = (challenge.parameters.expiresAt ?? 0) * 1000
    vi.useFakeTimers({ toFake: ['Date'], now: end })
    expect(await verify(tokenOf({ challenge, solution }))).toBeDefined()
    vi.setSystemTime(end + 1)
    expect(await verify(tokenOf({ challenge, solution }))).toBeUndefined()
  })

  it('is good only as it was asked', async () => {
    const { challenge, solution } = await solved(await challengeFor())
    const { parameters, signature } = challenge
    const changed = (changes: object) => ({
      challenge: { parameters: { ...parameters, ...changes }, signature },
      solution,
    })
    const forgeries: unknown[] = [
      changed({ expiresAt: (parameters.expiresAt ?? 0) + 1000 }),
      changed({ data: { ...parameters.data, slug: 'other' } }),
      changed({ cost: 1 }),
      changed({ keyPrefix: '00' }),
      changed({ more: 1 }),
      { challenge: { parameters, signature: 'a'.repeat(64) }, solution },
      { challenge: { parameters }, solution },
      { challenge, solution: { ...solution, derivedKey: '00'.repeat(32) } },
      { challenge, solution: { ...solution, derivedKey: `${parameters.keyPrefix}${'00'.repeat(16)}` } },
      { challenge, solution: { ...solution, counter: -1 } },
      { challenge: await challengeFor(), solution },
    ]
    for (const forgery of forgeries) expect(await verify(tokenOf(forgery), 'acme')).toBeUndefined()
    expect(
      await verify(tokenOf(changed({ data: { ...parameters.data, slug: 'other' } })), 'other'),
    ).toBeUndefined()
  })
})

describe('a token that is none', () => {
  it('is not good, and nothing breaks', async () => {
    const { challenge, solution } = await solved(await challengeFor())
    const deep = `${'{"a":'.repeat(500)}1${'}'.repeat(500)}`
    const tokens = [
      '',
      ' ',
      'no Base64 at all: ÄÖÜ',
      tokenOf(null),
      tokenOf([]),
      tokenOf('text'),
      tokenOf({}),
      tokenOf({ challenge: null, solution: null }),
      tokenOf({ challenge: { ...challenge, signature: Array(64).fill('a') }, solution }),
      tokenOf({ challenge: { ...challenge, parameters: null }, solution }),
      tokenOf({ challenge: { ...challenge, parameters: [] }, solution }),
      tokenOf({ challenge, solution: { counter: '1', derivedKey: 1 } }),
      tokenOf({ challenge, solution: { counter: 1e99, derivedKey: 'zz' } }),
      tokenOf({ challenge, solution }).slice(0, -9),
      Buffer.from(deep).toString('base64'),
      Buffer.from([0xff, 0xfe, 0x00]).toString('base64'),
    ]
    for (const token of tokens) expect(await verify(token)).toBeUndefined()
  })

  it('is too long beyond 4096 characters, good or not', async () => {
    const proof = await solved(await challengeFor())
    const padded = (length: number) => tokenOf(proof).padEnd(length, ' ')
    expect(await verify(padded(4096))).toBeDefined()
    expect(await verify(padded(4097))).toBeUndefined()
  })
})

describe('the work', () => {
  const attempts = (
    count: number,
    network: string,
    { age = '1 minute', refusal = 'limit_number', address = 'another' } = {},
  ) =>
    db.query(
      `insert into call_desk.call_requests (phone, slug, state, refusal, body_hash, network, created_at, address)
       select '+14155552671', 'acme', 'refused', $4, '', $2, now() - $3::interval, $5
       from generate_series(1, $1::int)`,
      [count, network, age, refusal, address],
    )
  const work = async (address?: string) => (await challengeFor('acme', address)).parameters.data?.most

  it('doubles with each request from the same network, three times at the most', async () => {
    const seen = [await work()]
    for (let count = 1; count <= 8; count++) {
      await attempts(1, '203.0.113.0/24')
      seen.push(await work())
    }
    expect(seen).toEqual([4, 8, 16, 32, 32, 32, 32, 32, 32])
    expect(await work('203.0.113.99')).toBe(32)
    expect(await work('203.0.112.7')).toBe(4)
  })

  it.each(['human_check_failed', 'country_not_allowed'])(
    'doubles for an address alone, and for no neighbour, with each attempt that costs nothing: %s',
    async (refusal) => {
      const early = tokenOf(await solved(await challengeFor()))
      await attempts(3, '203.0.113.0/24', { refusal, address: '203.0.113.200' })
      expect(await work('203.0.113.200')).toBe(32)
      expect(await work()).toBe(4)
      // What a neighbour has solved stays good.
      expect(await verify(early)).toBeDefined()
      expect(await verify(early, 'acme', '203.0.113.200')).toBeUndefined()
    },
  )

  it('doubles for an address that begins calls in the browser which nobody joins', async () => {
    const web = (address: string, state: string, joined: string) =>
      db.exec(`insert into call_desk.call_requests (kind, slug, state, body_hash, network, address, created_at, in_progress_at)
        values ('web', 'acme', '${state}', '', '203.0.113.0/24', '${address}', now() - interval '1 minute', ${joined})`)
    await web('203.0.113.7', 'ended', 'now()')
    await web('203.0.113.7', 'in-progress', 'null')
    expect(await work('203.0.113.7')).toBe(4)
    await web('203.0.113.7', 'ended', 'null')
    await web('203.0.113.7', 'failed', 'null')
    expect(await work('203.0.113.7')).toBe(16)
    expect(await work('203.0.113.8')).toBe(4)
  })

  it('doubles for the /48 of an IPv6 address', async () => {
    await attempts(2, '2001:db8:1::/48')
    expect(await work('2001:db8:1:ffff::1')).toBe(16)
    expect(await work('2001:db8:2::1')).toBe(4)
  })

  it('doubles for all together whose address is not known', async () => {
    await attempts(1, 'unknown')
    expect(await work('')).toBe(8)
    expect(await work()).toBe(4)
  })

  it('forgets after an hour', async () => {
    await attempts(3, '203.0.113.0/24', { age: '61 minutes' })
    expect(await work()).toBe(4)
    await attempts(1, '203.0.113.0/24', { age: '59 minutes' })
    expect(await work()).toBe(8)
  })

  it('is real: the number lies anywhere up to the most', async () => {
    await attempts(1, '203.0.113.0/24')
    const counters = new Set<number>()
    for (let round = 0; round < 60; round++)
      counters.add((await solved(await challengeFor())).solution.counter)
    expect([...counters].every((counter) => counter >= 1 && counter <= 8)).toBe(true)
    expect(counters.size).toBeGreaterThan(4)
  })

  it('is the least where attempts cannot be counted, which is logged', async () => {
    await attempts(3, '203.0.113.0/24')
    const broken: Db = { ...db, query: () => Promise.reject(new Error('no database, said 203.0.113.7')) }
    check = checkOf({ db: broken })
    for (let time = 0; time < 3; time++) expect(await work()).toBe(4)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('could not be counted')
    expect(lines[0]).not.toContain('203.0.113')
  })
})

describe('an easy challenge', () => {
  const attempts = (count: number, network: string) =>
    db.query(
      `insert into call_desk.call_requests (phone, slug, state, refusal, body_hash, network)
       select '+14155552671', 'acme', 'refused', 'limit_number', '', $2 from generate_series(1, $1::int)`,
      [count, network],
    )

  it('is good after two requests from the network meanwhile, and not after more', async () => {
    const token = tokenOf(await solved(await challengeFor()))
    await attempts(2, '203.0.113.0/24')
    expect(await verify(token)).toBeDefined()
    await attempts(1, '203.0.113.0/24')
    expect(await verify(token)).toBeUndefined()
    expect(await verify(tokenOf(await solved(await challengeFor())))).toBeDefined()
  })

  it('of one network is not good from another that has to work more', async () => {
    await attempts(3, '2001:db8:1::/48')
    const token = tokenOf(await solved(await challengeFor()))
    expect(await verify(token, 'acme', '2001:db8:1:2::3')).toBeUndefined()
    expect(await verify(token, 'acme', '2001:db8:2:2::3')).toBeDefined()
  })
})

it('needs a secret', () => {
  expect(() => checkOf({ secret: '' })).toThrow('secret must not be empty')
})
