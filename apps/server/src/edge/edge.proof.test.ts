import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { chunk, edgeBench, ended, LAST_CHUNK, PATIENCE } from '../testing/edge-bench.js'

const bench = edgeBench()
const { answered, ask, connected, open, openConnections, statusOf } = bench

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

it('counts nothing that a page of another site had its reader load, and leaves the handler alone', async () => {
  let served = 0
  await open((_, response) => {
    served += 1
    response.end('served')
  })
  const loaded =
    'GET /acme HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: image\r\n\r\n'
  for (let load = 0; load < 60; load += 1) {
    const client = await connected()
    client.write(loaded)
    const [answer]: Buffer[] = await once(client, 'data')
    expect(answer?.toString()).toMatch(/^HTTP\/1.1 403 [\s\S]*"foreign_load"/)
  }
  expect(served).toBe(0)
  const person = await connected()
  person.write(
    'GET /acme HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: document\r\n\r\n',
  )
  const [answer]: Buffer[] = await once(person, 'data')
  expect(answer?.toString()).toMatch(/^HTTP\/1.1 200 /)
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
    bench.listening.server.on('request', (request: IncomingMessage) => {
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
    for (const host of ['localhost', `127.0.0.1:${bench.listening.port}`, '[::1]:3000', 'demo.example'])
      expect(await statusOf('/', { host })).toBe(200)
    expect(bench.lines).toEqual([expect.objectContaining({ kind: 'host' })])
    expect(JSON.stringify(bench.lines)).not.toContain('rebound')
  })

  it('opens no room either', async () => {
    await open((_, response) => response.end())
    const socket = new WebSocket(`ws://127.0.0.1:${bench.listening.port}/-/rooms/x`, { headers: foreign })
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
      .poll(() => bench.lines.map(({ kind }) => kind), PATIENCE)
      .toEqual([...Array(20).fill('office'), 'hook', 'platform', 'backend'])
    expect(JSON.stringify(bench.lines)).not.toMatch(/guess|127\.0\.0\.1/)
    bench.edge.close()
    expect(bench.lines.at(-1)).toMatchObject({ kind: 'office', leftOut: 10 })
  })

  it('of pages of other origins to join a room are in the log', async () => {
    await open((_, response) => response.end())
    const url = `ws://127.0.0.1:${bench.listening.port}/-/rooms/x?secret=guess`
    const socket = new WebSocket(url, { origin: 'https://evil.example' })
    await once(socket, 'error')
    expect(bench.lines).toEqual([expect.objectContaining({ kind: 'room', status: 403 })])
  })
})
