import { setMaxListeners } from 'node:events'
import { request as httpRequest } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openKeyRing } from '../keys/key-ring.js'
import { readSettings } from '../settings/settings.js'
import { type Heyline, startHeyline } from '../start/heyline.js'
import { testDirectory } from '../testing/heyline-command.js'
import { LookupTurns } from './lookup-turns.js'

// A start of the server takes long where much else is going on.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const { path, remove } = testDirectory()
/** The proxy in front tells who asks: each test has clients of its own. */
const settings = readSettings({
  PORT: '0',
  DATA_DIR: path,
  TRUST_PROXY: '1',
  VISITOR_MISS_LIMIT: '5/5m',
})
let heyline: Heyline
let publishable: string
let secret: string
beforeAll(async () => {
  heyline = await startHeyline({ settings, logger: pino({ level: 'silent' }), lookupWaitMs: 10_000 })
  ;({ publishable, secret } = openKeyRing(settings.dataDirectory, settings.keys))
})
afterAll(async () => {
  await heyline.close()
  remove()
})

let last = 0
let address: string
beforeEach(() => {
  address = `203.0.${++last}.1`
})

interface Asked {
  status: number
  body: string
  ms: number
  headers: NodeJS.Dict<string | string[]>
}

interface Sending {
  from?: string
  method?: string
  body?: string
  signal?: AbortSignal
}

/** An answer, and how long it took. */
function ask(
  target: string,
  headers: Record<string, string> = {},
  { from = address, method = 'GET', body = '', signal }: Sending = {},
): Promise<Asked> {
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      new URL(target, heyline.url),
      { method, headers: { 'x-forwarded-for': from, ...headers }, signal },
      async (answer) => {
        const text = (await answer.setEncoding('utf8').toArray()).join('')
        resolve({
          status: answer.statusCode ?? 0,
          body: text,
          ms: performance.now() - begun,
          headers: answer.headers,
        })
      },
    )
    request.on('error', reject).end(body)
  })
}
const read = (slug: string, more: Record<string, string> = {}) =>
  ask(`/-/backend/rest/v1/visitors?select=slug&slug=eq.${slug}`, {
    apikey: publishable,
    'x-visitor-slug': slug,
    ...more,
  })

/** That the address has to wait now: its next lookup of a visitor that is there takes a quarter of a second or more. */
async function expectToWait() {
  const { status, ms } = await ask('/default')
  expect(status).toBe(200)
  expect(ms).toBeGreaterThan(240)
}
async function expectNotToWait() {
  const answers = [await ask('/default'), await ask('/default'), await ask('/default')]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  // One of them may be slow because the machine is.
  expect(Math.min(...answers.map(({ ms }) => ms))).toBeLessThan(240)
}

it.each([
  `/${'a'.repeat(3000)}`,
  `/${'%C3%A9'.repeat(600)}`,
  `/${'_'.repeat(251)}`,
  `/-/previews/${'a'.repeat(3000)}.png`,
])('finds nobody by a slug that is longer than any: %.20s', async (target) => {
  expect((await ask(target)).status).toBe(404)
})

describe('an address that guesses slugs', () => {
  it.each<[string, (slug: string) => Promise<Asked>]>([
    ['pages', (slug) => ask(`/${slug}`)],
    ['reads', (slug) => read(slug)],
    ['reads of an object', (slug) => read(slug, { accept: 'application/vnd.pgrst.object+json' })],
    ['pictures', (slug) => ask(`/-/previews/${slug}.png`)],
    [
      'requests for calls',
      (slug) =>
        ask(
          '/-/backend/functions/v1/call-me',
          { apikey: publishable, 'content-type': 'application/json' },
          { method: 'POST', body: JSON.stringify({ slug, phone: '+12025550123' }) },
        ),
    ],
    [
      'requests for calls below the path of their function',
      (slug) =>
        ask(
          '/-/backend/functions/v1/call-me/more',
          { apikey: publishable, 'content-type': 'application/json' },
          { method: 'POST', body: JSON.stringify({ slug, phone: '+12025550123' }) },
        ),
    ],
    [
      'calls at the platform',
      (slug) =>
        ask(
          '/-/platform/call/web',
          { 'content-type': 'application/json', 'x-visitor-slug': slug },
          { method: 'POST', body: '{}' },
        ),
    ],
    [
      // Postgres quotes the first row that it can not cast.
      'reads that fail',
      (slug) =>
        ask('/-/backend/rest/v1/visitors?select=name::int', { apikey: publishable, 'x-visitor-slug': slug }),
    ],
  ])('by %s waits after five misses', async (_, guess) => {
    for (let time = 0; time < 5; time++) expect((await guess(`guess-${time}`)).status).not.toBe(429)
    await expectToWait()
  })

  it('by reads that answer with listed visitors waits, too', async () => {
    await ask(
      '/-/office/visitors',
      { authorization: `Bearer ${secret}` },
      {
        method: 'POST',
        body: JSON.stringify({ slug: 'shown', name: 'Shown', listed: true }),
      },
    )
    for (let time = 0; time < 5; time++) {
      const all = await ask('/-/backend/rest/v1/visitors?select=slug', {
        apikey: publishable,
        'x-visitor-slug': `guess-${time}`,
      })
      expect(JSON.parse(all.body)).toContainEqual({ slug: 'shown' })
    }
    await expectToWait()
  })

  it('by slugs that no database stores waits, too, and nothing fails', async () => {
    for (let time = 0; time < 5; time++) {
      const answer = await ask('/-/backend/rest/v1/visitors?select=slug', {
        apikey: publishable,
        'x-visitor-slug': `guess-${time}%00`,
      })
      expect(answer.status).toBe(200)
    }
    await expectToWait()
  })

  it('gets the screen of a page that does not exist where too many of its pages wait', async () => {
    for (let time = 0; time < 5; time++) await ask(`/nobody-${time}`)
    const pages = await Promise.all(Array.from({ length: 8 }, () => ask('/default')))
    const refused = pages.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    for (const { body, headers } of refused) {
      expect(body).toContain('Page Not Found')
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
      })
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    }
  })

  it('finds out about a handful of slugs a second in place of hundreds, and has no more than four requests waiting', async () => {
    const over = new AbortController()
    const { signal } = over
    setMaxListeners(0, signal)
    const statuses: number[] = []
    let refused: Asked | undefined
    const guessers = Array.from({ length: 20 }, async () => {
      while (!signal.aborted) {
        const headers = { apikey: publishable, 'x-visitor-slug': `guess-${Math.random()}` }
        const answer = await ask('/-/backend/rest/v1/visitors?select=slug', headers, { signal })
        statuses.push(answer.status)
        if (answer.status === 429) refused ??= answer
      }
    })
    const ended = Promise.allSettled(guessers)
    await delay(2_000)
    // Meanwhile another address is not slowed, whether it finds its visitor or mistypes the slug.
    const [found, mistyped] = await Promise.all([
      ask('/default', {}, { from: '198.51.100.1' }),
      ask('/defualt', {}, { from: '198.51.100.1' }),
    ])
    expect([found.status, mistyped.status]).toEqual([200, 404])
    expect(Math.max(found.ms, mistyped.ms)).toBeLessThan(2_000)
    over.abort()
    await ended
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(15)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(50)
    expect(refused?.headers['access-control-allow-origin']).toBe('*')
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
  })
})

describe('somebody who says that he comes through a proxy, where nobody has told us of one', () => {
  let untold: Heyline
  let directory: ReturnType<typeof testDirectory>
  beforeAll(async () => {
    directory = testDirectory()
    const settings = readSettings({ PORT: '0', DATA_DIR: directory.path, VISITOR_MISS_LIMIT: '2/5m' })
    untold = await startHeyline({ settings, logger: pino({ level: 'silent' }), lookupWaitMs: 10_000 })
  })
  afterAll(async () => {
    await untold.close()
    directory.remove()
  })
  const page = (slug: string, from: string) => ask(`${untold.url}/${slug}`, {}, { from })

  it('waits after as many misses as anybody, and others do not', async () => {
    for (let time = 0; time < 2; time++) await page(`guess-${time}`, '203.0.113.1')
    expect((await page('default', '203.0.113.1')).ms).toBeGreaterThan(240)
    const others = [await page('default', '203.0.113.2'), await page('default', '203.0.113.2')]
    // One of them may be slow because the machine is.
    expect(Math.min(...others.map(({ ms }) => ms))).toBeLessThan(240)
  })

  it('waits after twenty times as many, if he is another one each time', async () => {
    for (let time = 0; time < 38; time++) await page(`guess-${time}`, `198.51.100.${time}`)
    expect((await page('default', '192.0.2.1')).ms).toBeGreaterThan(240)
  })
})

describe('an address that guesses nothing', () => {
  it('never waits for a slug that a header carries encoded', async () => {
    const added = await ask(
      '/-/backend/rest/v1/visitors',
      { apikey: secret, 'content-type': 'application/json' },
      { method: 'POST', body: JSON.stringify({ slug: 'münchen', name: 'München' }) },
    )
    expect(added.status).toBe(201)
    for (let time = 0; time < 10; time++) {
      expect(JSON.parse((await read(encodeURIComponent('münchen'))).body)).toEqual([{ slug: 'münchen' }])
      expect((await ask('/m%C3%BCnchen')).status).toBe(200)
    }
    await expectNotToWait()
  })

  it('never waits for what it finds', async () => {
    for (let time = 0; time < 20; time++) {
      expect((await ask('/DEFAULT')).status).toBe(200)
      expect(JSON.parse((await read('default')).body)).toEqual([{ slug: 'default' }])
      const failed = await ask('/-/backend/rest/v1/visitors?select=name::int', {
        apikey: publishable,
        'x-visitor-slug': 'default',
      })
      expect(failed.status).toBe(400)
    }
    await expectNotToWait()
  })

  it('is not blamed for what browsers and crawlers ask for, nor for a page that is asked for without a slug', async () => {
    for (const path of ['/favicon.ico', '/robots.txt', '/apple-touch-icon.png', '/.well-known/a', '/'])
      for (let time = 0; time < 3; time++) await ask(path)
    for (let time = 0; time < 10; time++) await ask('/-/nothing')
    await expectNotToWait()
  })

  it.each(['/', '/.well-known/a', '/robots.txt'])(
    'waits behind itself where it floods %s',
    async (target) => {
      const look = vi.spyOn(LookupTurns.prototype, 'look')
      await ask(target)
      expect(look.mock.calls).toMatchObject([[{ address }, expect.any(Function), { isGuess: false }]])
      look.mockRestore()
    },
  )

  it('may read what it likes with the secret key', async () => {
    for (let time = 0; time < 10; time++) await read(`none-${time}`, { apikey: secret })
    await expectNotToWait()
  })
})
