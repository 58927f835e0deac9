import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { edgeBench, ended, PATIENCE } from '../testing/edge-bench.js'

const bench = edgeBench()
const { answered, ask, connected, open, openConnections, statusOf } = bench

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
    expect(bench.lines[0]).toMatchObject({ kind: 'connection', reason: 'does not read' })
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
    bench.listening.server.on('request', onParsed).on('dropRequest', onParsed)
    const client = await connected()
    const over = ended(client)
    client.write(`GET / HTTP/1.1\r\n${head}\r\n`.repeat(600))
    await over
    expect(parsed).toBe(13)
    expect(bench.lines).toContainEqual(expect.objectContaining({ reason: 'too many requests ahead' }))
  })

  it('may ask ten ahead for as long as they like', async () => {
    await open((_, response) => response.end('served.'))
    const client = await bench.servedAhead('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n', 200)
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
