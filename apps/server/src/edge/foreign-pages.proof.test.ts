import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { openKeyRing } from '../keys/key-ring.js'
import { readSettings } from '../settings/settings.js'
import { type Heyline, startHeyline } from '../start/heyline.js'
import { PATIENCE } from '../testing/edge-bench.js'
import { testDirectory } from '../testing/heyline-command.js'
import { OPEN_GATE } from '../testing/open-gate.js'

const { path, remove } = testDirectory()
const PARTNER = 'https://partner.example'
/** The proxy in front tells who asks: each test has a reader of its own. */
const settings = readSettings({
  ...OPEN_GATE,
  PORT: '0',
  DATA_DIR: path,
  TRUST_PROXY: '1',
  ALLOWED_ORIGINS: PARTNER,
  VISITOR_MISS_LIMIT: '5/5m',
  WEB_CALLS: 'minted',
})
let heyline: Heyline
let apikey: string
beforeAll(async () => {
  heyline = await startHeyline({ settings, logger: pino({ level: 'silent' }), lookupWaitMs: 10_000 })
  apikey = openKeyRing(settings.dataDirectory, settings.keys).publishable
})
afterAll(async () => {
  await heyline.close()
  remove()
})

let last = 0
let reader: string
const over: (() => unknown)[] = []
beforeEach(() => {
  reader = `203.0.${++last}.1`
})
afterEach(() => Promise.all(over.splice(0).map((end) => end())))

const CROSS = { 'sec-fetch-site': 'cross-site' }
const EVIL = { ...CROSS, origin: 'https://evil.example' }
const OPENED = { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' }

function begun(target: string, headers: Record<string, string> = {}, body?: object) {
  const request = httpRequest(new URL(target, heyline.url), {
    method: body ? 'POST' : 'GET',
    headers: { 'x-forwarded-for': reader, ...(body && { 'content-type': 'application/json' }), ...headers },
    agent: false,
  })
  request.on('error', () => undefined)
  over.push(() => request.destroy())
  return request.end(body && JSON.stringify(body))
}

/** The status; 0 where none came. */
const ask = (...what: Parameters<typeof begun>) =>
  new Promise<number>((resolve) => {
    begun(...what)
      .on('response', (answer) => resolve(answer.resume().statusCode ?? 0))
      .on('close', () => resolve(0))
  })

/** Does it again and again until the test is over; resolves when it has been done so often. */
async function goOn(times: number, act: (time: number) => Promise<unknown>): Promise<void> {
  let [done, isOver] = [0, false]
  const acting = Array.from({ length: 6 }, async () => {
    while (!isOver) {
      await act(done++)
      await delay(5)
    }
  })
  over.push(() => {
    isOver = true
    return Promise.all(acting)
  })
  await expect.poll(() => done, PATIENCE).toBeGreaterThan(times)
}

const nobodysPicture = (time: number) =>
  ask(`/-/previews/nobody-${time}.png`, { ...CROSS, 'sec-fetch-dest': 'image' })
/** As a page that leaves for ours by itself, and begins anew before it is gone. */
const nobodysPage = (time: number) => ask(`/nobody-${time}`, { ...OPENED, ...CROSS })
const nobodysRow = (headers: Record<string, string>) => (time: number) =>
  ask('/-/backend/rest/v1/visitors?select=name', { apikey, 'x-visitor-slug': `nobody-${time}`, ...headers })
/** As a page whose fetch is aborted in the first moments. */
async function leave(time: number) {
  const headers = { ...EVIL, apikey, 'x-visitor-slug': 'default' }
  const request = begun('/-/backend/rest/v1/visitors?select=name', headers)
  await delay(time % 4)
  request.destroy()
}

function socketOf(headers: Record<string, string>): WebSocket {
  const socket = new WebSocket(
    `${heyline.url.replace('http', 'ws')}/-/backend/realtime/v1/websocket?vsn=1.0.0`,
    {
      headers: { 'x-forwarded-for': reader, ...headers },
    },
  )
  socket.on('error', () => undefined)
  over.push(() => socket.terminate())
  return socket
}
/** How many of so many WebSockets are let in. */
async function opened(many: number, headers: Record<string, string>): Promise<number> {
  const sockets = Array.from({ length: many }, () => socketOf(headers))
  const isOpen = await Promise.all(
    sockets.map((socket) =>
      Promise.race([once(socket, 'open').then(() => 1), once(socket, 'close').then(() => 0)]).catch(() => 0),
    ),
  )
  return isOpen.reduce<number>((sum, each) => sum + each, 0)
}

/** What somebody does at the address: the page, by itself and by a link, both kinds of calls, and a WebSocket. */
async function whatReaderGets() {
  const call = (name: string, more = {}) =>
    ask(`/-/backend/functions/v1/${name}`, { apikey }, { slug: 'default', ...more })
  return {
    page: await ask('/default', OPENED),
    linked: await ask('/default', { ...OPENED, ...CROSS, 'sec-fetch-user': '?1' }),
    check: await ask('/-/human-check?slug=default'),
    webCall: await call('web-call'),
    callMe: await call('call-me', { phone: '+12025550123' }),
    sockets: await opened(1, {}),
  }
}
/** There is no human check here, and so no challenge. */
const AS_EVER = { page: 200, linked: 200, check: 404, webCall: 201, callMe: 202, sockets: 1 }

describe('whoever looks at a page of another site', () => {
  it('gets what he asks for', async () => {
    expect(await whatReaderGets()).toEqual(AS_EVER)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['shows pictures of nobody', () => goOn(20, nobodysPicture)],
    ['reads rows of nobody', () => goOn(20, nobodysRow(EVIL))],
    [
      'reads rows of nobody, in a browser that names no sites',
      () => goOn(20, nobodysRow({ origin: 'https://evil.example' })),
    ],
    ['leaves for pages of nobody', () => goOn(20, nobodysPage)],
    ['holds WebSockets open', () => opened(110, { origin: 'https://evil.example' })],
    ['gives requests up', () => goOn(200, leave)],
    [
      'does all that',
      async () => {
        await opened(110, { origin: 'https://evil.example' })
        await Promise.all([goOn(20, nobodysPicture), goOn(20, nobodysRow(EVIL)), goOn(200, leave)])
      },
    ],
  ])('gets it also while that %s', async (_, begin) => {
    await begin()
    expect(await whatReaderGets()).toEqual(AS_EVER)
  })
})

describe('a page of another site', () => {
  it('finds out about no more slugs than another address', async () => {
    const statuses = await Promise.all(Array.from({ length: 60 }, (_, time) => nobodysPicture(time)))
    expect(statuses.filter((status) => status === 404).length).toBeLessThanOrEqual(9)
    expect(statuses).toContain(429)
  })

  it('opens ten WebSockets', async () => {
    expect(await opened(30, { origin: 'https://evil.example' })).toBe(10)
  })

  it('has its reader’s turns where it is allowed', async () => {
    const allowed = { ...CROSS, origin: PARTNER }
    expect(await opened(30, { origin: PARTNER })).toBe(30)
    for (let time = 0; time < 5; time++) expect(await nobodysRow(allowed)(time)).toBe(200)
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask('/default', OPENED)))
    expect(answers).toContain(429)
  })
})

it('counts no read with a wrong key as a guess', async () => {
  for (let time = 0; time < 12; time++) expect(await nobodysRow({ apikey: 'page)' })(time)).toBe(401)
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask('/default', OPENED)))
  expect(new Set(answers)).toEqual(new Set([200]))
})

it.each([
  ['its reads', EVIL],
  // Each of them is given up for the next, so that the page stays where it is.
  ['forms that it sends as if its reader left for ours', { ...OPENED, ...EVIL }],
])('uses up none of the sign-in tries and recovery mails of its reader by %s', async (_, foreign) => {
  const headers = { 'content-type': 'text/plain', apikey }
  const each = (time: number, own = {}) => {
    const email = `nobody-${time}@example.com`
    return Promise.all([
      ask(
        '/-/backend/auth/v1/token?grant_type=password',
        { ...headers, ...own },
        { email, password: 'wrong' },
      ),
      ask('/-/backend/auth/v1/recover', { ...headers, ...own }, { email }),
    ])
  }
  for (let time = 0; time < 21; time += 1) await each(time, foreign)
  expect(await each(21, foreign)).toEqual([429, 429])
  expect(await each(22)).toEqual([400, 200])
})
