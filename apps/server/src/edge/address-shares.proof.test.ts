import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import WebSocket from 'ws'
import { chunk, chunkedPost, edgeBench, ended, LAST_CHUNK, PATIENCE } from '../testing/edge-bench.js'

const bench = edgeBench()
const { answered, ask, clients, connected, open, openConnections, statusOf } = bench

describe('one address', () => {
  it('has a hundred connections, and another when one of them ends', async () => {
    await open((_, response) => response.end('served'))
    await Promise.all(Array.from({ length: 100 }, connected))
    const more = await connected()
    await ended(more)
    expect(bench.lines).toEqual([
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
      bench.listening.server.on('request', () => void asked++)
      for (let cuts = 0; cuts < 10; cuts++) {
        const client = connect(bench.listening.port, '127.0.0.1').on('error', () => undefined)
        const over = ended(client)
        client.write(flood)
        await over
      }
      expect(asked).toBe(5 * requests)
      expect(bench.lines.map(({ reason }) => reason)).toEqual([
        ...Array(5).fill(reason),
        ...Array(5).fill('address was cut too often'),
      ])
      const served = () => new Promise((resolve) => ask('/').on('response', resolve).on('error', resolve))
      await expect.poll(served, PATIENCE).toMatchObject({ statusCode: 200 })
    },
  )

  /** Asks, and leaves once the request is handled. */
  async function leave(times: number, path: string, headers = {}, method = 'GET') {
    for (let left = 0; left < times; left++) {
      const handled = once(bench.listening.server, 'request')
      const request = ask(path, headers, method)
      const [{ socket }] = await handled
      if (path === '/stream') await once(request, 'response')
      request.destroy()
      if (!socket.destroyed) await once(socket, 'close')
    }
  }

  it('that leaves again and again before its answers begin is refused for a few seconds', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address })
    await open(
      ({ url }, response) => {
        if (url === '/stream') response.write('begun')
        else if (url !== '/wait') response.end('served')
      },
      { trustProxy: 1 },
    )
    await leave(60, '/stream', from('203.0.113.7'))
    await leave(60, '/wait', from('203.0.113.7'), 'POST')
    await leave(49, '/wait', from('203.0.113.7'))
    expect(await statusOf('/', from('203.0.113.7'))).toBe(200)
    await leave(1, '/wait', from('203.0.113.7'))
    expect(await statusOf('/', from('203.0.113.7'))).toBe(429)
    expect(await statusOf('/', from('203.0.113.8'))).toBe(200)
    await expect.poll(() => statusOf('/', from('203.0.113.7')), PATIENCE).toBe(200)
  })

  it.each([
    ['gives requests up', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'empty' }],
    ['leaves for ours and never arrives', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' }],
  ])('is not refused for a page of another site that %s; that page is', async (_, headers) => {
    const foreign = { 'x-forwarded-for': '203.0.113.7', ...headers }
    await open(({ url }, response) => url !== '/-/wait' && response.end('served'), { trustProxy: 1 })
    await leave(50, '/-/wait', foreign)
    expect(await statusOf('/-/served', foreign)).toBe(429)
    expect(await statusOf('/', { 'x-forwarded-for': '203.0.113.7' })).toBe(200)
  })

  it('that leaves so often without a proxy has its next connections ended', async () => {
    await open(({ url }, response) => url !== '/wait' && response.end('served'))
    await leave(50, '/wait')
    await expect(statusOf('/')).rejects.toThrow('ECONNRESET')
    expect(bench.lines.at(-1)).toMatchObject({ reason: 'address was cut too often' })
    await expect.poll(() => statusOf('/').catch(() => 0), PATIENCE).toBe(200)
  })

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
    expect(bench.lines).toEqual([expect.objectContaining({ kind: 'request' })])
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
      // Reads that are left so often would be refused before.
      const crowd = Array.from({ length: 50 }, () => ask('/', headers, 'POST'))
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
    const socket = () => new WebSocket(`ws://127.0.0.1:${bench.listening.port}/-/rooms/x`, { headers })
    const rooms = Array.from({ length: 100 }, socket)
    await Promise.all(rooms.map((room) => once(room, 'message')))
    const [error]: Error[] = await once(socket(), 'error')
    expect(error?.message).toBe('Unexpected server response: 429')
    for (const room of rooms) room.terminate()
    await expect.poll(() => statusOf('/', headers), PATIENCE).toBe(200)
  })

  it('begins no more than 120 WebSockets in a minute', async () => {
    await open((_, response) => response.end('served'))
    const url = `ws://127.0.0.1:${bench.listening.port}/-/rooms/x`
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
