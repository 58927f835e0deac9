import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { RequestHandler } from '../http/listening.js'
import { chunk, chunkedPost, edgeBench, ended, LAST_CHUNK, PATIENCE } from '../testing/edge-bench.js'

const bench = edgeBench()
const { ask, connected, open } = bench

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

describe('a client whose body does not come in time', () => {
  const slowly = async (path: string, on?: Socket) => {
    const client = on ?? (await connected())
    client.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n`)
    return { client, drip: setInterval(() => client.write('.'), 50) }
  }

  /** A connection that has carried a page already. */
  const served = async () => {
    const client = await connected()
    client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await once(client, 'data')
    return client
  }

  it('is cut, however steadily it drips', async () => {
    await open((request, response) => request.resume().on('end', () => response.end()), { bodyMs: 1_000 })
    const { client, drip } = await slowly('/-/platform/call/web')
    await ended(client)
    clearInterval(drip)
    expect(bench.lines).toEqual([expect.objectContaining({ kind: 'connection', reason: 'does not send' })])
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
    // As behind a proxy, whose connections carry anybody's requests.
    const used = await slowly('/-/office/visitors/import', await served())
    const cut = await slowly('/-/platform/call/web')
    await ended(cut.client)
    for (const timer of [drip, used.drip, cut.drip]) clearInterval(timer)
    expect([client, used.client, waiting].map(({ destroyed }) => destroyed)).toEqual([false, false, false])
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
    expect(bench.lines.map(({ reason }) => reason)).toEqual(['sends crumbs', 'sends crumbs'])
  })

  it('has no more crumbs parsed once it is cut, and spoils no body of others', async () => {
    await open(countBytes)
    let parsed = 0
    bench.listening.server.on('request', (request: IncomingMessage) => {
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
    const client = await bench.servedAhead(
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx',
      1_000,
    )
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
    expect(bench.lines[0]).toMatchObject({ kind: 'connection', reason: 'does not send' })
  })
})
