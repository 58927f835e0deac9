import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { pino } from 'pino'
import { describe, expect, it, vi } from 'vitest'
import { UnfinishedWork } from '../ends/unfinished-work.js'
import { ClientAddresses } from './client-addresses.js'
import { LookupTurns, type LookupTurnsOptions } from './lookup-turns.js'
import { type SlugLookupsOptions, slugLookups } from './slug-lookups.js'

const lookupTurns = (options: Pick<LookupTurnsOptions, 'inDatabase'> = {}) =>
  new LookupTurns({ limit: { most: 30, windowMs: 300_000 }, ...options })

/** An app without routes, behind the lookups. */
function guarded(options: Partial<Pick<SlugLookupsOptions, 'turns' | 'exists' | 'nobodysPage'>> = {}) {
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.use(
    slugLookups({
      turns: lookupTurns(),
      clients: new ClientAddresses({ trustProxy: 1, logger: pino({ level: 'silent' }) }),
      work: new UnfinishedWork(),
      exists: async () => true,
      nobodysPage: async () => new Response(null, { status: 404 }),
      isPageRead: async ({ url }) => url.endsWith('?select=slug,name'),
      secretKey: 'secret',
      ...options,
    }),
  )
  return app
}

/** As a proxy passes it on. */
function requestFrom(address: string): IncomingMessage {
  const incoming = new IncomingMessage(new Socket())
  incoming.headers['x-forwarded-for'] = address
  return incoming
}

describe('a flood of challenges from one address', () => {
  it('waits behind itself, and none is refused', async () => {
    const app = guarded()
    let [now, most] = [0, 0]
    app.get('/-/human-check', async (context) => {
      most = Math.max(most, ++now)
      await setImmediate()
      now--
      return context.json({})
    })
    const incoming = requestFrom('203.0.113.9')
    const asked = Array.from({ length: 40 }, () => app.request('/-/human-check?slug=a', {}, { incoming }))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(most).toBe(4)
  })
})

describe('a flood of pages that wait', () => {
  /** Lookups that never end, and many that wait for them. */
  function flood() {
    const nobodysPage = vi.fn(async () => new Response(null, { status: 404 }))
    const app = guarded({ turns: lookupTurns({ inDatabase: 2 }), nobodysPage })
    app.all('*', () => new Promise<Response>(() => undefined))
    let answered = 0
    const ask = async (address: string, init: RequestInit = {}) => {
      await app.request('/acme', init, { incoming: requestFrom(address) })
      answered++
    }
    /** How many are answered in each of the next turns of the loop. */
    const answeredPerTurn = async (turns: number) => {
      const counts: number[] = []
      for (let turn = 0; turn < turns; turn++) {
        const before = answered
        await setImmediate()
        counts.push(answered - before)
      }
      return counts
    }
    return { nobodysPage, ask, answeredPerTurn, answered: () => answered }
  }

  it('that are given up at once end a few at a time, and no page is made for them', async () => {
    const { nobodysPage, ask, answeredPerTurn, answered } = flood()
    const client = new AbortController()
    for (let place = 0; place < 200; place++) void ask(`10.0.0.${place % 4}`, client)
    await setImmediate()
    client.abort()
    expect(Math.max(...(await answeredPerTurn(60)))).toBeLessThanOrEqual(10)
    // All but those whose lookups have begun.
    expect(answered()).toBe(200 - 12)
    expect(nobodysPage).not.toHaveBeenCalled()
  })

  it('that get no turn in time are answered a few at a time', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { nobodysPage, ask, answeredPerTurn } = flood()
      for (let place = 0; place < 100; place++) void ask(`10.${place}.0.1`)
      for (let turn = 0; turn < 4; turn++) await setImmediate()
      vi.advanceTimersByTime(3_000)
      expect(Math.max(...(await answeredPerTurn(60)))).toBeLessThanOrEqual(10)
      expect(nobodysPage).toHaveBeenCalledTimes(98)
    } finally {
      vi.useRealTimers()
    }
  })
})

it.each([
  ['GET', '/acme', 'reads'],
  ['HEAD', '/acme', 'reads'],
  ['POST', '/acme', undefined],
  ['GET', '/-/backend/rest/v1/visitors?select=slug,name', 'reads'],
  ['GET', '/-/backend/rest/v1/visitors', undefined],
  ['POST', '/-/backend/rest/v1/visitors', undefined],
  ['POST', '/-/backend/functions/v1/call-me', undefined],
  ['GET', '/-/previews/acme.png', 'pictures'],
  ['POST', '/-/previews/acme.png', undefined],
  ['GET', '/-/human-check', undefined],
])('%s %s takes its turn in the line of: %s', async (method, path, line) => {
  const turns = lookupTurns()
  const look = vi.spyOn(turns, 'look')
  const app = guarded({ turns })
  app.all('*', (context) => context.json({}))
  await app.request(path, { method }, { incoming: requestFrom('203.0.113.9') })
  expect(look.mock.calls.map(([, , options]) => options?.inLineOf)).toEqual([line])
})

it.each([
  ['call', '/-/platform/call/web', 'takes its turn where the visitors are ours', async () => false, 1],
  ['chat', '/-/platform/chat/web', 'takes its turn where the visitors are ours', async () => false, 1],
  ['call', '/-/platform/call/web', 'goes by where they are hosted elsewhere', undefined, 0],
])('a %s that names a slug at %s %s', async (_, path, __, exists, looks) => {
  const turns = lookupTurns()
  const look = vi.spyOn(turns, 'look')
  const app = guarded({ turns, exists })
  app.post(path, (context) => context.json({}, 201))
  const { status } = await app.request(
    path,
    { method: 'POST', headers: { 'x-visitor-slug': 'nobody' } },
    { incoming: requestFrom('203.0.113.9') },
  )
  expect([status, look.mock.calls.length]).toEqual([201, looks])
})

it.each([
  [
    'no miss',
    'of a key that does not hold',
    '/-/backend/rest/v1/visitors',
    'PostgREST; error=PGRST301',
    false,
  ],
  ['a miss', 'of the database', '/-/backend/rest/v1/visitors', 'PostgREST; error=42501', true],
  ['a miss', 'of the platform', '/-/platform/call/web', undefined, true],
])('takes for %s a 401 %s', async (_, __, path, status, isMiss) => {
  const turns = lookupTurns()
  const looked: boolean[] = []
  vi.spyOn(turns, 'look').mockImplementation(async (_, look) => {
    looked.push((await look()).isMiss)
    return undefined
  })
  const app = guarded({ turns, exists: async () => false })
  app.all('*', (context) => context.json({}, 401, status ? { 'proxy-status': status } : {}))
  await app.request(
    path,
    { headers: { 'x-visitor-slug': 'nobody' } },
    { incoming: requestFrom('203.0.113.9') },
  )
  expect(looked).toEqual([isMiss])
})

it('says of a read that got no turn that too many ask, and not that pages were not found', async () => {
  const app = guarded({ turns: lookupTurns({ inDatabase: 2 }) })
  const ends: (() => void)[] = []
  app.all('*', async (context) => {
    await new Promise<void>((resolve) => ends.push(resolve))
    return context.json([])
  })
  const read = (client: number) => {
    const incoming = requestFrom(`10.${client}.0.1`)
    return app.request('/-/backend/rest/v1/visitors?select=slug,name', {}, { incoming })
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const reads = [0, 1, 2].map(read)
    await vi.waitFor(() => expect(ends).toHaveLength(2))
    await vi.advanceTimersByTimeAsync(3_000)
    const refused = await reads[2]
    expect([refused?.status, refused?.headers.get('retry-after'), await refused?.json()]).toEqual([
      429,
      '1',
      { code: 'busy', message: 'Too many pages are asked for just now. Try again in a moment.' },
    ])
    for (const end of ends) end()
    await Promise.all(reads)
  } finally {
    vi.useRealTimers()
  }
})
