import { once } from 'node:events'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { type Listening, listen, type RequestHandler } from '../http/listening.js'
import { acceptUpgrades, type Upgrades } from '../http/upgrade.js'
import { type Edge, type EdgeOptions, openEdge } from './edge.js'

interface Line {
  kind: string
  reason?: string
  leftOut?: number
}

const PATIENCE = { timeout: 10_000 }

let lines: Line[]
let listening: Listening
let edge: Edge
let upgrades: Upgrades
const clients: Socket[] = []

/** A server behind an edge that counts every address, also that of this machine. */
async function open(handler: RequestHandler, options: Partial<EdgeOptions> = {}) {
  lines = []
  const logger = pino({ base: undefined }, { write: (line: string) => void lines.push(JSON.parse(line)) })
  listening = await listen(0, '127.0.0.1')
  edge = openEdge({
    server: listening.server,
    host: '127.0.0.1',
    publicUrl: 'https://demo.example',
    trustProxy: undefined,
    logger,
    isExempt: () => false,
    ...options,
  })
  upgrades = acceptUpgrades(listening.server, logger, edge)
  upgrades.serve([
    {
      path: /^\/-\/rooms\/x$/,
      protocols: [],
      plain: true,
      refuse: ({ headers: { origin } }) => (origin === 'https://evil.example' ? 403 : undefined),
      accept: (socket) => socket.send('welcome'),
    },
  ])
  listening.serve(edge.guarded(handler))
}
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  await upgrades.close()
  edge.close()
  await listening.close()
})

async function connected(): Promise<Socket> {
  const client = connect(listening.port, '127.0.0.1')
  client.on('error', () => undefined)
  clients.push(client)
  await once(client, 'connect')
  return client
}

/** Resolves when a connection is over, however it ended. */
const ended = (client: Socket) => new Promise((resolve) => client.once('close', resolve))

function ask(path: string, headers: Record<string, string> = {}): ClientRequest {
  const request = httpRequest({ port: listening.port, host: '127.0.0.1', path, headers, agent: false })
  request.on('error', () => undefined)
  request.end()
  return request
}

async function answered(request: ClientRequest): Promise<IncomingMessage> {
  const [answer]: IncomingMessage[] = await once(request, 'response')
  return answer?.resume() ?? expect.unreachable()
}

const statusOf = async (path: string, headers?: Record<string, string>) =>
  (await answered(ask(path, headers))).statusCode

const chunkedPost = (path: string) =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n`
const chunk = (size: number) => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`
const LAST_CHUNK = '0\r\n\r\n'

/** Answers with the length of the body, in bytes. */
const countBytes: RequestHandler = (request, response) => {
  let taken = 0
  request.on('data', (piece: Buffer) => (taken += piece.length))
  request.on('end', () => response.end(String(taken)))
}

/** What the server answers to a body in such chunks. */
async function bytesTaken(chunks: string): Promise<number> {
  const client = await connected()
  client.write(chunkedPost('/') + chunks)
  const [answer]: Buffer[] = await once(client, 'data')
  return Number(answer?.toString().split('\r\n').at(-1))
}

const openConnections = () =>
  new Promise<number>((resolve) => listening.server.getConnections((_, count) => resolve(count)))

describe('clients that do not read', () => {
  it('are cut while a page that follows its call, and others, are served', async () => {
    const large = Buffer.alloc(30_000_000, 'x')
    let beat = () => {}
    await open((request, response) => {
      if (request.url === '/large') response.end(large)
      else if (request.url !== '/events') response.end('served')
      else {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
        beat = () => response.write('data: still here\n\n')
      }
    })
    const events = await answered(ask('/events'))
    const deaf = await Promise.all(Array.from({ length: 40 }, connected))
    for (const client of deaf) {
      client.pause()
      client.write('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n')
    }
    await expect.poll(openConnections, PATIENCE).toBe(1)
    expect(lines[0]).toMatchObject({ kind: 'connection', reason: 'does not read' })
    expect(await statusOf('/')).toBe(200)
    beat()
    const [heard] = await once(events, 'data')
    expect(String(heard)).toBe('data: still here\n\n')
  })

  it.each([
    ['no more than a host', 'Host: localhost\r\n'],
    ['an expectation of its own', 'Host: localhost\r\nExpect: something\r\n'],
    ['no host', ''],
  ])('have no more of what they sent ahead parsed: requests with %s', async (_, head) => {
    await open(() => undefined)
    let parsed = 0
    const onParsed = () => void parsed++
    listening.server.on('request', onParsed).on('dropRequest', onParsed)
    const client = await connected()
    const over = ended(client)
    client.write(`GET / HTTP/1.1\r\n${head}\r\n`.repeat(600))
    await over
    expect(parsed).toBe(13)
    expect(lines).toContainEqual(expect.objectContaining({ reason: 'too many requests ahead' }))
  })

  it('may ask ten ahead for as long as they like', async () => {
    await open((_, response) => response.end('served.'))
    const client = await connected()
    const ask = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'
    let served = 0
    client.on('data', (answers: Buffer) => {
      const count = answers.toString().split('served.').length - 1
      served += count
      client.write(ask.repeat(count))
    })
    client.write(ask.repeat(10))
    await expect.poll(() => served, PATIENCE).toBeGreaterThan(200)
    expect(client.destroyed).toBe(false)
  })

  it.each([
    // What they left may count towards a limit; what they only wanted to read does not.
    ['POST', 12],
    ['GET', 0],
  ])('cannot have a hundred answers made at once by asking ahead: %s', async (method, begun) => {
    let asked = 0
    const count = () => asked++
    await open(count, { trustProxy: 1 })
    const client = await connected()
    const over = ended(client)
    client.write(`${method} / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`.repeat(600))
    await over
    await expect.poll(() => asked, PATIENCE).toBe(begun)
    // All that was under way for this address is over: it may ask again, as often as before.
    for (let more = 0; more < 100; more++) ask('/')
    await expect.poll(() => asked, PATIENCE).toBe(begun + 100)
    expect(await statusOf('/')).toBe(429)
  })
})

it('begins a request of another network before the rest of a flood', async () => {
  const begun: unknown[] = []
  await open(
    ({ headers }, response) => {
      begun.push(headers['x-forwarded-for'])
      response.end()
    },
    { trustProxy: 1 },
  )
  const proxy = await connected()
  const askedBy = (address: string) =>
    `GET / HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${address}\r\n\r\n`
  proxy.write(askedBy('203.0.113.7').repeat(9) + askedBy('198.51.100.1'))
  await expect.poll(() => begun.length, PATIENCE).toBe(10)
  expect(begun.indexOf('198.51.100.1')).toBeLessThan(3)
})

describe('a client whose body does not come in time', () => {
  const slowly = async (path: string) => {
    const client = await connected()
    client.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n`)
    return { client, drip: setInterval(() => client.write('.'), 50) }
  }

  it('is cut, however steadily it drips', async () => {
    await open((request, response) => request.resume().on('end', () => response.end()), { bodyMs: 1_000 })
    const { client, drip } = await slowly('/-/platform/call/web')
    await ended(client)
    clearInterval(drip)
    expect(lines).toEqual([expect.objectContaining({ kind: 'connection', reason: 'does not send' })])
  })

  it('may take its time at the admin door, and does not keep a client from waiting for its answer', async () => {
    await open(
      (request, response) => {
        if (request.url === '/wait') return
        if (request.url === '/') response.end()
        else request.resume().on('end', () => response.end())
      },
      { bodyMs: 500 },
    )
    const waiting = ask('/wait')
    const { client, drip } = await slowly('/-/office/visitors/import')
    const cut = await slowly('/-/platform/call/web')
    await ended(cut.client)
    for (const timer of [drip, cut.drip]) clearInterval(timer)
    expect([client.destroyed, waiting.destroyed]).toEqual([false, false])
  })

  it('is cut where it comes in crumbs, also before anybody reads it', async () => {
    let taken = 0
    await open((request) => {
      if (request.url === '/read') request.on('data', (piece: Buffer) => (taken += piece.length))
    })
    for (const path of ['/read', '/unread']) {
      const client = await connected()
      client.write(chunkedPost(path))
      client.write(chunk(1).repeat(900_000))
      await ended(client)
    }
    expect(taken).toBeLessThanOrEqual(200)
    expect(lines.map(({ reason }) => reason)).toEqual(['sends crumbs', 'sends crumbs'])
  })

  it('has no more crumbs parsed once it is cut, and spoils no body of others', async () => {
    await open(countBytes)
    let parsed = 0
    listening.server.on('request', (request: IncomingMessage) => {
      const push = request.push.bind(request)
      request.push = (...piece) => {
        parsed++
        return push(...piece)
      }
    })
    const client = await connected()
    const over = ended(client)
    client.write(chunkedPost('/') + chunk(1).repeat(10_000))
    await over
    expect(parsed).toBe(201)
    expect(await bytesTaken(chunk(1_000) + LAST_CHUNK)).toBe(1_000)
  })

  it.each([
    ['in two hundred crumbs', chunk(1).repeat(200), 200],
    ['in more where most of it is none', (chunk(1_400) + chunk(100)).repeat(1_500), 2_250_000],
  ])('may come %s', async (_, body, bytes) => {
    await open(countBytes)
    expect(await bytesTaken(body + LAST_CHUNK)).toBe(bytes)
  })

  it('may come in one piece each, however short, on one connection', async () => {
    await open((_, response) => response.end('served.'))
    const client = await connected()
    const post = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx'
    let served = 0
    client.on('data', (answers: Buffer) => {
      const count = answers.toString().split('served.').length - 1
      served += count
      client.write(post.repeat(count))
    })
    client.write(post.repeat(10))
    await expect.poll(() => served, PATIENCE).toBeGreaterThan(1_000)
    expect(client.destroyed).toBe(false)
  })

  it('may come one after the other, as long as most of each is no crumb', async () => {
    await open(countBytes)
    const client = await connected()
    let answers = ''
    client.on('data', (answer: Buffer) => (answers += answer.toString()))
    const body = (chunk(3_000) + chunk(100)).repeat(190) + LAST_CHUNK
    client.write((chunkedPost('/') + body).repeat(5))
    await expect.poll(() => answers.split('589000').length - 1, PATIENCE).toBe(5)
  })

  it('are cut at once where all of them have sent too much, those first that came first', async () => {
    await open((request) => void request.resume())
    const megabyte = `POST /-/hooks/platform HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000001\r\n\r\n${'x'.repeat(1_000_000)}`
    const crowd = async (size: number) => {
      const come = await Promise.all(Array.from({ length: size }, connected))
      for (const client of come) client.write(megabyte)
      return come
    }
    const first = await crowd(40)
    await delay(1_000)
    expect(first.filter(({ destroyed }) => destroyed)).toHaveLength(0)
    const then = await crowd(40)
    await expect.poll(() => first.filter(({ destroyed }) => destroyed).length, PATIENCE).toBeGreaterThan(15)
    await delay(1_000)
    expect([...first, ...then].filter(({ destroyed }) => !destroyed).length).toBeGreaterThan(50)
    expect(then.filter(({ destroyed }) => destroyed)).toHaveLength(0)
    expect(lines[0]).toMatchObject({ kind: 'connection', reason: 'does not send' })
  })
})

describe('one address', () => {
  it('has a hundred connections, and another when one of them ends', async () => {
    await open((_, response) => response.end('served'))
    await Promise.all(Array.from({ length: 100 }, connected))
    const more = await connected()
    await ended(more)
    expect(lines).toEqual([
      expect.objectContaining({ kind: 'connection', reason: 'too many of one address' }),
    ])
    clients[0]?.destroy()
    await expect.poll(openConnections, PATIENCE).toBe(99)
    expect(await statusOf('/')).toBe(200)
  })

  it.each([
    [
      'asks too far ahead',
      'too many requests ahead',
      13,
      'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(600),
    ],
    ['sends crumbs', 'sends crumbs', 1, chunkedPost('/') + chunk(1).repeat(600)],
    [
      'sends crumbs in many short bodies ahead',
      'sends crumbs',
      2,
      (chunkedPost('/') + chunk(1).repeat(195) + LAST_CHUNK).repeat(11),
    ],
  ])(
    'that %s on connection after connection gets none for a few seconds',
    async (_, reason, requests, flood) => {
      await open((_, response) => response.end('served'))
      let asked = 0
      listening.server.on('request', () => void asked++)
      for (let cuts = 0; cuts < 10; cuts++) {
        const client = connect(listening.port, '127.0.0.1').on('error', () => undefined)
        const over = ended(client)
        client.write(flood)
        await over
      }
      expect(asked).toBe(5 * requests)
      expect(lines.map(({ reason }) => reason)).toEqual([
        ...Array(5).fill(reason),
        ...Array(5).fill('address was cut too often'),
      ])
      const served = () => new Promise((resolve) => ask('/').on('response', resolve).on('error', resolve))
      await expect.poll(served, PATIENCE).toMatchObject({ statusCode: 200 })
    },
  )

  it('that is a proxy keeps its connections, whatever its clients do', async () => {
    await open((_, response) => response.end('served'), { trustProxy: 1 })
    for (let cuts = 0; cuts < 6; cuts++) {
      const client = await connected()
      const over = ended(client)
      client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(600))
      await over
    }
    expect(await statusOf('/')).toBe(200)
  })

  it('has a hundred requests under way behind a proxy, whose own connections are not counted', async () => {
    await open((request, response) => request.url === '/' && response.end('served'), { trustProxy: 1 })
    const crowd = Array.from({ length: 100 }, () => ask('/wait', { 'x-forwarded-for': '203.0.113.7' }))
    await expect.poll(openConnections, PATIENCE).toBe(100)
    const refused = await answered(ask('/', { 'x-forwarded-for': '9.9.9.9, 203.0.113.7' }))
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1'])
    expect(await statusOf('/', { 'x-forwarded-for': '203.0.113.8' })).toBe(200)
    expect(lines).toEqual([expect.objectContaining({ kind: 'request' })])
    for (const request of crowd) request.destroy()
    await expect.poll(() => statusOf('/', { 'x-forwarded-for': '203.0.113.7' }), PATIENCE).toBe(200)
  })

  it('has no more requests handled at once by cutting its connections', async () => {
    let [running, most] = [0, 0]
    const ends: (() => void)[] = []
    await open(
      async (_, response) => {
        most = Math.max(most, ++running)
        await new Promise<void>((resolve) => ends.push(resolve))
        running--
        response.end()
      },
      { trustProxy: 1 },
    )
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    for (const underWay of [50, 100]) {
      const crowd = Array.from({ length: 50 }, () => ask('/', headers))
      await expect.poll(() => running, PATIENCE).toBe(underWay)
      for (const request of crowd) request.destroy()
      await expect.poll(openConnections, PATIENCE).toBe(0)
    }
    for (let more = 0; more < 20; more++) expect(await statusOf('/', headers)).toBe(429)
    expect(most).toBe(100)
    for (const end of ends.splice(0)) end()
    const answer = ask('/', headers)
    await expect.poll(() => ends.length, PATIENCE).toBe(1)
    ends[0]?.()
    expect((await answered(answer)).statusCode).toBe(200)
  })

  it('has its WebSockets counted, too', async () => {
    await open((_, response) => response.end('served'), { trustProxy: 1 })
    const headers = { 'x-forwarded-for': '203.0.113.7' }
    const socket = () => new WebSocket(`ws://127.0.0.1:${listening.port}/-/rooms/x`, { headers })
    const rooms = Array.from({ length: 100 }, socket)
    await Promise.all(rooms.map((room) => once(room, 'message')))
    const [error]: Error[] = await once(socket(), 'error')
    expect(error?.message).toBe('Unexpected server response: 429')
    for (const room of rooms) room.terminate()
    await expect.poll(() => statusOf('/', headers), PATIENCE).toBe(200)
  })

  it('begins no more than 120 WebSockets in a minute', async () => {
    await open((_, response) => response.end('served'))
    const url = `ws://127.0.0.1:${listening.port}/-/rooms/x`
    for (let begun = 0; begun < 120; begun++) {
      const socket = new WebSocket(url)
      await once(socket, 'message')
      const over = new Promise((resolve) => socket.once('close', resolve))
      socket.terminate()
      await over
    }
    const [error]: Error[] = await once(new WebSocket(url), 'error')
    expect(error?.message).toBe('Unexpected server response: 429')
    expect(await statusOf('/')).toBe(200)
  })
})

it('refuses a request that names no host, but not one of HTTP/1.0', async () => {
  await open((_, response) => response.end('served'))
  const answerTo = async (request: string) => {
    const client = await connected()
    client.write(request)
    const [answer]: Buffer[] = await once(client, 'data')
    return answer?.toString()
  }
  expect(await answerTo('GET / HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1.1 400 [\s\S]*"no_host"/)
  expect(await answerTo('GET / HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /)
})

describe('a request with more lines in its head than it may have', () => {
  const lines = (count: number) => 'a: b\r\n'.repeat(count)
  const TAIL = 'x-forwarded-for: 203.0.113.7\r\ntransfer-encoding: chunked\r\n\r\n'
  const POST = 'POST / HTTP/1.1\r\nhost: localhost\r\n'
  const UPGRADE =
    'GET /-/rooms/x HTTP/1.1\r\nhost: localhost\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n'

  async function answerTo(head: string): Promise<string> {
    const client = await connected()
    const over = ended(client)
    let answer = ''
    client.on('data', (text: Buffer) => {
      answer += text
      if (answer.includes('served')) client.destroy()
    })
    client.write(head)
    await over
    return answer
  }

  it('is refused, whatever Node has dropped of it', async () => {
    await open((request, response) => request.resume().on('end', () => response.end('served')))
    expect(await answerTo(POST + lines(97) + TAIL + LAST_CHUNK)).toMatch(/^HTTP\/1.1 200 /)
    const refused = await answerTo(POST + lines(98) + TAIL)
    expect(refused).toMatch(/^HTTP\/1.1 431 [\s\S]*nosniff[\s\S]*"too_many_headers"/)
    // Newer versions of Node refuse very many by themselves.
    for (const more of [1_100, 2_500])
      expect(await answerTo(POST + lines(more) + TAIL)).toMatch(/^HTTP\/1.1 431 /)
  })

  it('has none of its body parsed', async () => {
    await open(() => undefined)
    let parsed = 0
    listening.server.on('request', (request: IncomingMessage) => {
      request.push = () => parsed++ > 0
    })
    const client = (await connected()).resume()
    const over = ended(client)
    client.write(POST + lines(1_100) + TAIL + chunk(1).repeat(5_000))
    await over
    expect(parsed).toBe(0)
  })

  it('opens no room either', async () => {
    await open(() => undefined)
    expect(await answerTo(UPGRADE + lines(1_100) + TAIL)).toMatch(/^HTTP\/1.1 431 /)
  })
})

it('counts who comes without a forwarded address behind a proxy, also on this machine', async () => {
  await open((request, response) => request.url === '/' && response.end('served'), {
    trustProxy: 1,
    isExempt: undefined,
  })
  expect(await statusOf('/')).toBe(200)
  for (let count = 0; count < 100; count++) ask('/wait')
  await expect.poll(openConnections, PATIENCE).toBe(100)
  await expect.poll(() => statusOf('/'), PATIENCE).toBe(429)
  expect(await statusOf('/', { 'x-forwarded-for': '203.0.113.7' })).toBe(200)
})

describe('a name that is not ours', () => {
  const foreign = { host: 'rebound.example:3000' }

  it('gets nothing from a server on loopback, and the log names no name', async () => {
    let asked = 0
    await open((_, response) => {
      asked++
      response.end('secret')
    })
    const answer = ask('/-/health', foreign)
    const [refused]: IncomingMessage[] = await once(answer, 'response')
    expect(refused?.statusCode).toBe(421)
    const { code, message } = JSON.parse((await refused?.setEncoding('utf8').toArray())?.join('') ?? '')
    expect(code).toBe('wrong_host')
    expect(message).toContain('PUBLIC_URL')
    expect(asked).toBe(0)
    for (const host of ['localhost', `127.0.0.1:${listening.port}`, '[::1]:3000', 'demo.example'])
      expect(await statusOf('/', { host })).toBe(200)
    expect(lines).toEqual([expect.objectContaining({ kind: 'host' })])
    expect(JSON.stringify(lines)).not.toContain('rebound')
  })

  it('opens no room either', async () => {
    await open((_, response) => response.end())
    const socket = new WebSocket(`ws://127.0.0.1:${listening.port}/-/rooms/x`, { headers: foreign })
    const [error]: Error[] = await once(socket, 'error')
    expect(error?.message).toBe('Unexpected server response: 421')
  })
})

it('gives every answer the headers that all have, also where a part sets its own', async () => {
  await open((request, response) => {
    if (request.url === '/own') response.writeHead(200, { 'Cross-Origin-Resource-Policy': 'cross-origin' })
    response.end()
  })
  const all = {
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'strict-transport-security': 'max-age=31536000',
  }
  const headersAt = async (path: string, headers?: Record<string, string>) =>
    (await answered(ask(path, headers))).headers
  const corp = 'cross-origin-resource-policy'
  expect(await headersAt('/acme')).toMatchObject({ ...all, [corp]: 'same-origin' })
  expect(await headersAt('/own')).toMatchObject({ ...all, [corp]: 'cross-origin' })
  expect(await headersAt('/acme', { host: 'rebound.example' })).toMatchObject(all)
})

describe('refused attempts', () => {
  it('are in the log, twenty of a kind in a minute, and without what was shown', async () => {
    await open((_, response) => response.writeHead(401).end())
    const headers = { authorization: 'Bearer sk-guess' }
    for (let count = 0; count < 30; count++) await statusOf('/-/office/backup?key=guess', headers)
    for (const path of ['/-/hooks/platform', '/-/platform/call', '/-/backend/rest/v1/visitors', '/acme'])
      await statusOf(path, headers)
    await expect
      .poll(() => lines.map(({ kind }) => kind), PATIENCE)
      .toEqual([...Array(20).fill('office'), 'hook', 'platform', 'backend'])
    expect(JSON.stringify(lines)).not.toMatch(/guess|127\.0\.0\.1/)
    edge.close()
    expect(lines.at(-1)).toMatchObject({ kind: 'office', leftOut: 10 })
  })

  it('of pages of other origins to join a room are in the log', async () => {
    await open((_, response) => response.end())
    const url = `ws://127.0.0.1:${listening.port}/-/rooms/x?secret=guess`
    const socket = new WebSocket(url, { origin: 'https://evil.example' })
    await once(socket, 'error')
    expect(lines).toEqual([expect.objectContaining({ kind: 'room', status: 403 })])
  })
})
