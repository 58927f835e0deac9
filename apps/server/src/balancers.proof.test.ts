import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Db } from '@heyline/database'
import { DatabaseLine, findPostgres, openTestPostgres } from '@heyline/database/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { DrainingServer } from './testing/draining-server.js'
import { testDirectory } from './testing/heyline-command.js'
import { OPEN_GATE } from './testing/open-gate.js'
import { freePort, isInstalled, RealBalancer } from './testing/real-balancer.js'
import { readServerKeys } from './testing/server-keys.js'

const SOON = { timeout: 30_000, interval: 50 }
/** The line of this number is busy. Who asks for it again too soon is answered like the first time, but not dialled. */
const BUSY = '+12025550102'
const CALLERS = 4
const QUESTION = 'What are your opening hours?'
/** A machine that is slow answers fewer: so many are under way at most. */
const PAGES = { perSecond: 20, underWay: 4 }
/** An address of the machine asks so often, then the next one. */
const EACH = 50
const WEBHOOK = { perSecond: 5, underWay: 2 }

const BALANCERS = (['haproxy', 'nginx', 'caddy'] as const).map((name) => ({
  name,
  isMissing: !findPostgres() || !isInstalled(name),
}))

/** Two real servers, each with a port of its own that it keeps. One balancer after the other stands before them. */
let directory: ReturnType<typeof testDirectory>
let db: Db
let line: DatabaseLine
let port: number
const ports: number[] = []
const servers: DrainingServer[] = []
/** How often there was load: each time in a network of its own, as the gate stores no more than 300 repetitions of one. */
let loads = 0
beforeAll(async () => {
  if (BALANCERS.every(({ isMissing }) => isMissing)) return
  directory = testDirectory()
  db = await openTestPostgres()
  line = await DatabaseLine.open(db)
  port = await freePort()
  for (const n of [0, 1]) {
    ports.push(await freePort())
    await start(n)
  }
}, 120_000)
afterAll(async () => {
  for (const server of servers) {
    server.signal('SIGKILL')
    await server.ended
  }
  await line?.close()
  await db?.close()
  directory?.remove()
})

/** Requests that make nginx think that the server has failed. Each is a head and the length of a body. */
const HOSTILE: [string, string, number][] = [
  [
    'a preflight that asks for very many headers',
    `OPTIONS /-/backend/rest/v1/visitors HTTP/1.1\r\nHost: localhost\r\nOrigin: https://stranger.example\r\n` +
      `Access-Control-Request-Method: GET\r\nAccess-Control-Request-Headers: ${'x-a,'.repeat(1_200)}x-b\r\n\r\n`,
    0,
  ],
  ['a body to what needs a key', requestHead('/-/office/x', 6_000_000), 6_000_000],
  ['a body that is read for its head only', requestHead('/default', 1_000_000), 1_000_000],
  [
    'a head that is too long, with a body',
    requestHead('/default', 1_000_000, 'X-Long: y\r\n'.replace('y', 'y'.repeat(7_000)).repeat(3)),
    1_000_000,
  ],
]

/** GET, because nginx tries that again at the other server. */
function requestHead(path: string, length: number, lines = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${lines}Content-Length: ${length}\r\n\r\n`
}

/** Sends all of it, and waits until the other end has answered or cut the connection. */
async function sendAndLeave(head: string, bodyBytes: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  const over = new Promise((resolve) => {
    for (const event of ['data', 'close']) socket.once(event, resolve)
  })
  socket.on('error', () => undefined)
  socket.write(head)
  socket.write(Buffer.alloc(bodyBytes))
  await over
  socket.destroy()
}

const server = (index: number): DrainingServer => servers[index] ?? expect.unreachable()
const addressOf = (index: number): string => `127.0.0.1:${ports[index]}`
async function start(n: number): Promise<void> {
  const [first] = servers
  servers[n] = await DrainingServer.start(
    join(directory.path, String(n)),
    {
      ...OPEN_GATE,
      PORT: String(ports[n]),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      TRUST_PROXY: '1',
      DATABASE_URL: line.url,
      DRAIN_DELAY_SECONDS: '4',
      DRAIN_SECONDS: '60',
    },
    first,
  )
}

/** An answer through the balancer, over a connection of its own, from this address of the machine. */
async function ask(
  path: string,
  { body, from, headers }: { body?: object; from?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number | undefined; text: string; headers: IncomingMessage['headers'] }> {
  const asked = request({
    host: '127.0.0.1',
    port,
    path,
    agent: false,
    method: body ? 'POST' : 'GET',
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(from && { localAddress: from }),
  })
  asked.end(body && JSON.stringify(body))
  const [answer]: [IncomingMessage] = await (once(asked, 'response') as Promise<[IncomingMessage]>)
  const text = (await answer.setEncoding('utf8').toArray()).join('')
  return { status: answer.statusCode, text, headers: answer.headers }
}
const askForCall = (from: string, forwarded?: string) =>
  ask('/-/backend/functions/v1/call-me', {
    body: { phone: BUSY, slug: 'default' },
    from,
    ...(forwarded && { headers: { 'x-forwarded-for': forwarded } }),
  })
const browserCall = () =>
  ask('/-/platform/call/web', {
    body: { assistant: { firstMessage: '' } },
    headers: { authorization: `Bearer ${readServerKeys(server(0).dataDirectory).platformPrivate}` },
  })

/** Reads pages and asks for calls, until it is stopped: then tells what became of all that. */
function underLoad() {
  loads += 1
  const failures = { page: [] as string[], webhook: [] as string[] }
  const done = { page: 0, webhook: 0 }
  const accepted: string[] = []
  const work = new Set<Promise<void>>()
  const every = (
    { perSecond, underWay }: typeof PAGES,
    what: keyof typeof failures,
    task: () => Promise<void>,
  ) => {
    let open = 0
    return setInterval(() => {
      if (open >= underWay) return
      open += 1
      done[what] += 1
      const running = task()
        .catch((error: unknown) => void failures[what].push(String(error)))
        .finally(() => {
          open -= 1
          work.delete(running)
        })
      work.add(running)
    }, 1000 / perSecond)
  }
  const timers = [
    every(PAGES, 'page', async () => {
      const { status, text } = await ask('/default')
      if (status !== 200 || !text.endsWith('</html>\n')) throw new Error(`${status}: ${text.slice(0, 200)}`)
    }),
    every(WEBHOOK, 'webhook', async () => {
      const { status, text } = await askForCall(`127.1.${loads}.${1 + Math.floor(done.webhook / EACH)}`)
      if (status !== 202) throw new Error(`${status}: ${text.slice(0, 200)}`)
      accepted.push(JSON.parse(text).id)
    }),
  ]
  return {
    failures,
    done,
    accepted,
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(work)
    },
  }
}

/** The requests for calls that are stored, by their ids. */
const stored = async () => {
  const { rows } = await db.query<{ id: string; address: string }>(
    'select id, address from call_desk.call_requests',
  )
  return new Map(rows.map(({ id, address }) => [id, address]))
}

describe.each(BALANCERS)('two servers behind $name', ({ name, isMissing }) => {
  if (isMissing) return it.skip(`work (left out: Postgres or ${name} is not installed here)`, () => undefined)
  let balancer: RealBalancer
  beforeAll(async () => {
    balancer = await RealBalancer.start(name, port, [addressOf(0), addressOf(1)])
  })
  afterAll(() => balancer.stop())

  it('serve pages and the REST interfaces, and bodies up to their limit', async () => {
    const page = await ask('/default')
    expect([page.status, page.text.endsWith('</html>\n')]).toEqual([200, true])
    expect((await server(0).platform('/call')).status).toBe(200)
    expect((await server(0).platform('/assistant', { name: 'x'.repeat(900_000) })).status).toBe(400)
    expect((await server(0).platform('/assistant', { name: 'x'.repeat(1_200_000) })).status).toBe(413)
  })

  it('know the client by its own address, whatever it writes into X-Forwarded-For', async () => {
    const known = []
    for (const [from, forwarded] of [
      ['127.0.0.1', undefined],
      ['127.0.0.1', '203.0.113.7'],
      ['127.0.0.2', '127.0.0.1, 203.0.113.7'],
    ] as const) {
      const { status, text } = await askForCall(from, forwarded)
      expect(status).toBe(202)
      known.push((await stored()).get(JSON.parse(text).id))
    }
    expect(known).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.2'])
  })

  it('talk with callers over WebSockets, also after their connections were cut', async () => {
    for (let n = 0; n < CALLERS; n += 1) {
      const { guest } = await server(0).talk()
      await guest.say(QUESTION)
      const back = await guest.comeBack()
      await back.say(QUESTION)
      await back.leave()
    }
  })

  it('have event streams come while they are written', async () => {
    const leaving = new AbortController()
    const stream = await server(0).office('/live', leaving.signal)
    expect(stream.headers.get('content-type')).toBe('text/event-stream')
    let heard = ''
    const reading = (async () => {
      for await (const bytes of stream.body ?? []) heard += Buffer.from(bytes).toString('utf8')
    })().catch(() => undefined)
    // From the first event on no change is missed.
    await vi.waitFor(() => expect(heard).toContain('event: switches'), SOON)
    const { id } = JSON.parse((await askForCall('127.0.0.3')).text)
    await vi.waitFor(() => expect(heard).toContain(id), SOON)
    leaving.abort()
    await reading
  })

  it.each(HOSTILE)('fail nobody because a stranger sends %s', async (_, head, bodyBytes) => {
    for (let n = 0; n < 4; n += 1) {
      await sendAndLeave(head, bodyBytes)
      expect((await ask('/default', { from: '127.0.0.8' })).status).toBe(200)
    }
  })

  it('fail nobody while one of them is stopped and started again, and take no request twice', async () => {
    const before = (await stored()).size
    const load = underLoad()
    try {
      await vi.waitFor(() => expect(load.accepted.length).toBeGreaterThan(2), SOON)
      if (name === 'nginx') balancer.setDown(addressOf(1), true)
      await restarted(1)
      if (name === 'nginx') balancer.setDown(addressOf(1), false)
      const reached = load.accepted.length
      await vi.waitFor(() => expect(load.accepted.length).toBeGreaterThan(reached + 4), SOON)
    } finally {
      await load.stop()
    }
    expect(load.failures, `${JSON.stringify(load.done)} ${balancer.said.slice(-2000)}`).toEqual({
      page: [],
      webhook: [],
    })
    expect(new Set(load.accepted).size).toBe(load.done.webhook)
    expect((await stored()).size - before).toBe(load.done.webhook)
  }, 120_000)

  if (name !== 'nginx') return
  it('have a hundred connections at most of one address, however slowly it sends its bodies', async () => {
    const head = requestHead('/default', 500)
    const slow = () =>
      connect({ port, host: '127.0.0.1', localAddress: '127.0.0.9' }, function (this: Socket) {
        this.write(head)
      }).on('error', () => undefined)
    const sockets = Array.from({ length: 99 }, slow)
    try {
      await vi.waitFor(async () => {
        // The question that came before may have had a place when the last of them came, so that it was refused: another one comes.
        sockets.push(slow())
        expect((await ask('/default', { from: '127.0.0.9' })).status).toBe(429)
      }, SOON)
      expect((await ask('/default', { from: '127.0.0.8' })).status).toBe(200)
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })

  it('lose no page where nginx was not told of a stop, and take no request twice; browser calls are refused at times', async () => {
    const before = (await stored()).size
    const { guest } = await server(0).talk('here')
    const load = underLoad()
    try {
      const answers: Awaited<ReturnType<typeof browserCall>>[] = []
      await restarted(0, async () => {
        await vi.waitFor(async () => expect(await statusOfImpossibleCall(server(0))).toBe(429), SOON)
        await vi.waitFor(async () => {
          answers.push(await browserCall())
          expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 503]))
        }, SOON)
        await guest.leave()
      })
      expect(answers.find(({ status }) => status === 503)?.headers['retry-after']).toBe('15')
    } finally {
      await load.stop()
    }
    expect(load.failures.page, JSON.stringify(load.done)).toEqual([])
    const requests = await stored()
    for (const id of load.accepted) expect(requests.has(id)).toBe(true)
    expect(requests.size - before).toBeLessThanOrEqual(load.done.webhook)
  }, 120_000)
})

/** 429 from a server that begins no more calls. */
async function statusOfImpossibleCall({ ownUrl, dataDirectory }: DrainingServer): Promise<number> {
  const { platformPrivate } = readServerKeys(dataDirectory)
  const answer = await fetch(`${ownUrl}/-/platform/call`, {
    method: 'POST',
    headers: { authorization: `Bearer ${platformPrivate}`, 'content-type': 'application/json' },
    body: JSON.stringify({ assistantId: crypto.randomUUID(), customer: { number: BUSY } }),
  })
  return answer.status
}

/** Stops this server as a deploy does, and starts it anew where it was. */
async function restarted(n: number, meanwhile: () => Promise<void> = async () => undefined): Promise<void> {
  const stopping = server(n)
  stopping.signal('SIGTERM')
  await meanwhile()
  expect(await stopping.ended).toBe(0)
  await start(n)
}
