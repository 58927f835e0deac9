import { request as httpRequest } from 'node:http'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openKeyRing } from './keys/key-ring.js'
import { readSettings } from './settings/settings.js'
import { type Heyline, startHeyline } from './start/heyline.js'
import { testDirectory } from './testing/heyline-command.js'
import { SCANNER_VISITS } from './testing/scanner-visits.js'

// A start of the server takes long where much else is going on.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const BROWSER =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const STATIC_HOST = 'https://pages.example'
const SLUG = 'riverside-dental'

const { path, remove } = testDirectory()
let heyline: Heyline
let secret: string
let cookie: string
beforeAll(async () => {
  const settings = readSettings({
    PORT: '0',
    DATA_DIR: path,
    TRUST_PROXY: '1',
    ALLOWED_ORIGINS: STATIC_HOST,
    VISITOR_MISS_LIMIT: '5/5m',
  })
  heyline = await startHeyline({ settings, logger: pino({ level: 'silent' }), lookupWaitMs: 10_000 })
  secret = openKeyRing(path, settings.keys).secret
  cookie = await signedIn()
})
afterAll(async () => {
  await heyline.close()
  remove()
})

interface Sent {
  method?: string
  target?: string
  body?: string
  headers?: Record<string, string | undefined>
}

let last = 0
/** One client more. */
const newAddress = () => `203.0.${++last >> 8}.${last & 255}`

/** What a page sends, with changes; a header that is undefined is left out. */
function send({ method = 'POST', target = '/-/opens', body, headers = {} }: Sent = {}) {
  const all = {
    'user-agent': BROWSER,
    'content-type': 'text/plain;charset=UTF-8',
    origin: heyline.url,
    referer: `${heyline.url}/${SLUG}`,
    'x-forwarded-for': newAddress(),
    ...headers,
  }
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; ms: number }>(
    (resolve, reject) => {
      const begun = performance.now()
      const request = httpRequest(
        new URL(target, heyline.url),
        { method, headers: given as Record<string, string> },
        (answer) => {
          answer.resume()
          answer.on('end', () =>
            resolve({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              ms: performance.now() - begun,
            }),
          )
        },
      )
      request.on('error', reject)
      request.end(method === 'POST' ? (body ?? JSON.stringify({ slug: SLUG })) : '')
    },
  )
}

const office = async (route: string) => {
  const answer = await fetch(`${heyline.url}/-/office${route}`, {
    headers: { authorization: `Bearer ${secret}` },
  })
  expect(answer.status).toBe(200)
  return await answer.json()
}
const opens = async (slug = SLUG): Promise<number> =>
  (await office(`/timeline/visitor?slug=${encodeURIComponent(slug)}`)).counts.opens

/** Sends an honest open as well: once that is stored, what was to be stored before it is too. */
async function counted(work: () => Promise<unknown>): Promise<number> {
  const before = await opens()
  await work()
  await send()
  await expect.poll(opens, { timeout: 10_000 }).toBeGreaterThan(before)
  // Others that came before may be stored after it.
  for (let seen = -1; ; ) {
    const now = await opens()
    if (now === seen) return now - before - 1
    seen = now
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
}

async function signedIn(): Promise<string> {
  const code = /#setup=([\w-]+)/.exec(heyline.banner)?.[1]
  const answer = await fetch(`${heyline.url}/-/office/session/set-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: heyline.url, 'x-forwarded-for': '198.51.100.1' },
    body: JSON.stringify({ code, email: 'ada@example.com', password: 'correct horse battery staple' }),
  })
  expect(answer.status).toBe(201)
  return /^[^;]+/.exec(answer.headers.get('set-cookie') ?? '')?.[0] ?? ''
}

describe('an open', () => {
  it('is answered with 204 and stored, from the page and from its static host', async () => {
    for (const origin of [heyline.url, STATIC_HOST]) {
      expect(
        await counted(async () => {
          const { status, headers } = await send({ headers: { origin } })
          expect([status, headers['cache-control']]).toEqual([204, 'no-store'])
        }),
      ).toBe(1)
    }
    const { events } = await office(`/timeline/events?slug=${SLUG}&types=page.opened&limit=10`)
    expect(events[0]).toMatchObject({ type: 'page.opened', slug: SLUG, actor: 'visitor', payload: {} })
    expect(JSON.stringify(events)).not.toContain('203.0.')
  })

  it('has the slug as the visitor has it', async () => {
    expect(await counted(() => send({ body: JSON.stringify({ slug: SLUG.toUpperCase() }) }))).toBe(1)
  })

  it('of a slug that is nobody’s looks the same, and slows who guesses', async () => {
    const headers = { 'x-forwarded-for': newAddress() }
    for (let number = 0; number < 6; number++) {
      const { status, ms } = await send({ body: JSON.stringify({ slug: `nobody-${number}` }), headers })
      expect(status).toBe(204)
      expect(ms).toBeLessThan(2_000)
    }
    // It counts with the misses of pages, once it was looked for.
    const waited = async () => {
      const begun = performance.now()
      await send({ method: 'GET', target: `/${SLUG}`, headers })
      return performance.now() - begun
    }
    await expect.poll(waited).toBeGreaterThan(240)
    expect(await opens('nobody-1')).toBe(0)
  })

  it.each<[string, number, Sent]>([
    ['GET', 405, { method: 'GET' }],
    ['HEAD', 405, { method: 'HEAD' }],
    ['a page of another site', 403, { headers: { origin: 'https://evil.example' } }],
    ['a page without an origin of its own', 403, { headers: { origin: 'null' } }],
    ['another type', 415, { headers: { 'content-type': 'application/json' } }],
    ['no type', 415, { headers: { 'content-type': undefined } }],
    ['what is no JSON', 400, { body: '{' }],
    ['no slug', 400, { body: '{}' }],
    ['an empty slug', 400, { body: '{"slug":""}' }],
    ['a slug that is no text', 400, { body: '{"slug":7}' }],
    ['a slug that no database holds', 400, { body: '{"slug":"\\u0000"}' }],
    ['a slug that is too long', 400, { body: JSON.stringify({ slug: 'a'.repeat(251) }) }],
    ['what is too long', 413, { body: JSON.stringify({ slug: SLUG, more: 'a'.repeat(512) }) }],
    [
      'what is too long and does not say so',
      413,
      { body: ' '.repeat(600), headers: { 'transfer-encoding': 'chunked' } },
    ],
    ['a program, which has no origin', 204, { headers: { origin: undefined } }],
    ['a browser that loads ahead', 204, { headers: { 'sec-purpose': 'prefetch;prerender' } }],
    ['a headless browser', 204, { headers: { 'user-agent': BROWSER.replace('Chrome', 'HeadlessChrome') } }],
    ['something without a name', 204, { headers: { 'user-agent': undefined } }],
  ])('is not counted: %s (%i)', async (_, status, sent) => {
    expect(await counted(async () => expect((await send(sent)).status).toBe(status))).toBe(0)
  })

  it('of an operator does not count: signed in, or as a preview', async () => {
    expect(await counted(() => send({ headers: { cookie } }))).toBe(0)
    expect(await counted(() => send({ headers: { referer: `${heyline.url}/${SLUG}?preview` } }))).toBe(0)
  })

  it('counts with a cookie that is nobody’s', async () => {
    expect(await counted(() => send({ headers: { cookie: `heyline-console=${'x'.repeat(43)}` } }))).toBe(1)
  })

  it('counts 30 times for one address and slug', async () => {
    const headers = { 'x-forwarded-for': newAddress() }
    expect(await counted(() => Promise.all(Array.from({ length: 40 }, () => send({ headers }))))).toBe(30)
  })
})

describe('a scanner, an unfurler, a browser that loads ahead', () => {
  it.each(SCANNER_VISITS)('opens nothing: $kind', async ({ methods, headers }) => {
    expect(
      await counted(async () => {
        for (const method of methods) {
          const { status } = await send({
            method,
            target: `/${SLUG}`,
            headers: { ...headers, origin: undefined, referer: undefined, 'content-type': undefined },
          })
          expect(status).toBe(200)
        }
        // Also one that runs the page's code.
        expect((await send({ headers })).status).toBe(204)
      }),
    ).toBe(0)
  })
})

it('is not served, and no page speaks of it, with OPENS=off', async () => {
  const { path: directory, remove: removeOther } = testDirectory()
  const other = await startHeyline({
    settings: readSettings({ PORT: '0', DATA_DIR: directory, OPENS: 'off' }),
    logger: pino({ level: 'silent' }),
    lookupWaitMs: 10_000,
  })
  try {
    expect(await (await fetch(`${heyline.url}/${SLUG}`)).text()).toContain('/-/opens')
    expect(await (await fetch(`${other.url}/${SLUG}`)).text()).not.toContain('/-/opens')
    const answer = await fetch(`${other.url}/-/opens`, { method: 'POST', body: '{"slug":"ada"}' })
    expect(answer.status).toBe(404)
  } finally {
    await other.close()
    removeOther()
  }
})
