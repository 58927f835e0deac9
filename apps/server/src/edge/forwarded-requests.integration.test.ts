import { once } from 'node:events'
import type { Socket } from 'node:net'
import { expect, it } from 'vitest'
import WebSocket from 'ws'
import { edgeBench, ended, PATIENCE } from '../testing/edge-bench.js'

const bench = edgeBench()
const { connected, open, openConnections } = bench

/** A server with forty connections behind a proxy. It answers `/`, and never `/wait`. */
const openSmall = (bodyMs?: number) =>
  open(
    (request, response) => {
      if (request.url === '/wait') return
      request.resume().on('end', () => response.end('served'))
    },
    { mostConnections: 40, trustProxy: 1, ...(bodyMs && { bodyMs }) },
  )

/** A head as the proxy passes it on, for a client in a network of its own. */
const head = (method: string, path: string, network: number) =>
  `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: 203.0.${network}.7\r\n`

async function asking(text: string): Promise<Socket> {
  const client = (await connected()).resume()
  client.write(text)
  return client
}
/** Announces sixty bytes and sends one. */
const drips = (network: number, path = '/') =>
  asking(`${head('POST', path, network)}content-length: 60\r\n\r\nx`)
const waits = (network: number) => asking(`${head('GET', '/wait', network)}\r\n`)

/** The status of the answer; undefined if the connection ended without one. */
async function statusOf(text: string): Promise<number | undefined> {
  const client = await asking(text)
  const answer = new Promise<string>((resolve) => client.once('data', (data) => resolve(String(data))))
  const told = await Promise.race([answer, ended(client)])
  client.destroy()
  return typeof told === 'string' ? Number(told.split(' ')[1]) : undefined
}
const pageStatus = (network: number) => statusOf(`${head('GET', '/', network)}\r\n`)
const reasons = () => new Set(bench.lines.map(({ reason }) => reason))
/** Until the server has begun so many requests, which are under way. */
function begun() {
  let count = 0
  bench.listening.server.on('request', () => count++)
  return (many: number) => expect.poll(() => count, PATIENCE).toBe(many)
}

it('serves others where a few networks have sent as many unfinished bodies as they can', async () => {
  await openSmall()
  const isBegun = begun()
  const greedy: Socket[] = []
  for (let each = 0; each < 8; each++)
    for (let network = 1; network < 6; network++) greedy.push(await drips(network))
  await isBegun(40)
  for (let network = 20; network < 45; network++) expect(await pageStatus(network)).toBe(200)
  expect(greedy.filter(({ closed }) => !closed).length).toBeLessThan(30)
})

it('tells whose unfinished request goes for another network that it had too many', async () => {
  await openSmall()
  const isBegun = begun()
  const greedy: Socket[] = []
  for (let each = 0; each < 30; each++) greedy.push(await drips(1))
  await isBegun(30)
  expect(await pageStatus(1)).toBe(429)
  const first = greedy[0] ?? expect.unreachable()
  const [answer, over] = [once(first, 'data'), ended(first)]
  expect(await pageStatus(2)).toBe(200)
  expect(String(await answer)).toMatch(/^HTTP\/1\.1 429 Too Many Requests\r\n[\s\S]*"too_many_requests"/)
  await over
  expect(reasons()).toContain('made room for another network')
  expect(greedy.filter(({ closed }) => closed)).toEqual([first])
})

it('ends a request that has come whole when the last places go, and no WebSocket', async () => {
  await openSmall()
  const isBegun = begun()
  const rooms: WebSocket[] = []
  for (let each = 0; each < 20; each++) {
    const room = new WebSocket(`ws://127.0.0.1:${bench.listening.port}/-/rooms/x`, {
      headers: { host: 'localhost', 'x-forwarded-for': '203.0.1.7' },
    })
    await once(room, 'message')
    rooms.push(room)
  }
  const waiting: Socket[] = []
  for (let each = 0; each < 10; each++) waiting.push(await waits(2))
  await isBegun(10)
  for (let network = 20; network < 32; network++) await waits(network)
  await isBegun(22)
  await expect.poll(() => waiting.filter(({ closed }) => closed).length, PATIENCE).toBe(7)
  expect(rooms.map(({ readyState }) => readyState)).toEqual(Array(20).fill(WebSocket.OPEN))
  for (const room of rooms) room.terminate()
})

it('keeps places for requests that the proxy asks of its own', async () => {
  await openSmall()
  const isBegun = begun()
  for (let network = 1; network < 40; network++) await waits(network)
  await isBegun(39)
  expect(await pageStatus(99)).toBe(429)
  await expect.poll(openConnections, PATIENCE).toBe(39)
  expect(await statusOf('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')).toBe(200)
})

it('waits three seconds at most for the bodies of a network that has more than its share', async () => {
  await openSmall(60_000)
  const fair = await drips(2)
  const greedy: Socket[] = []
  for (let each = 0; each < 29; each++) greedy.push(await drips(1))
  await expect.poll(() => greedy.some(({ closed }) => closed), PATIENCE).toBe(true)
  expect(reasons()).toEqual(new Set(['does not send']))
  expect(fair.closed).toBe(false)
})
