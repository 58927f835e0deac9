import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { eventPieces, stateEvent } from '../testing/event-pieces.js'
import { ADDRESS_HEADER, addressOf } from '../testing/gate-desk.js'
import { moveTo, requestIn } from '../testing/request-in.js'
import { createLiveStatus, type LiveStatus } from './live-status.js'

describe.each(DATABASES)('live status on $name', ({ open }) => {
  let real: Db
  let db: Db
  let lines: string[]
  let live: LiveStatus
  let listens: number
  const logger = pino({ base: undefined }, { write: (line: string) => lines.push(line) })

  beforeAll(async () => {
    real = await open()
  })
  afterAll(() => real.close())
  beforeEach(async () => {
    await real.exec('delete from call_desk.call_requests')
    lines = []
    listens = 0
    db = {
      ...real,
      listen: async (channel, heard) => {
        const unlisten = await real.listen(channel, heard)
        listens++
        return () => unlisten().then(() => void listens--)
      },
    }
    // Heartbeats come when a test says so.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    live = createLiveStatus({ db, logger })
  })
  afterEach(async () => {
    await live.close()
    expect([vi.getTimerCount(), listens]).toEqual([0, 0])
    vi.useRealTimers()
  })

  const events = (id: string, headers: Record<string, string> = {}, method = 'GET') =>
    live.events(new Request(`https://desk.example/-/calls/${id}/events`, { method, headers }), id)

  /** A stream that has told that it may come back, and the present state. */
  async function following(id: string, state: string) {
    const response = await events(id)
    expect(response.status).toBe(200)
    const pieces = eventPieces(response)
    expect(await pieces.next()).toBe('retry: 3000\n\n')
    expect(await pieces.next()).toBe(stateEvent(state))
    return pieces
  }

  it('tells the present state at once, each later one as it comes, and ends with the last', async () => {
    const id = await requestIn(real, 'queued')
    const response = await events(id)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('cache-control')).toContain('no-store')
    const pieces = eventPieces(response)
    expect(await pieces.next()).toBe('retry: 3000\n\n')
    expect(await pieces.next()).toBe(stateEvent('queued'))
    for (const state of ['dialling', 'ringing', 'in-progress']) {
      await moveTo(real, id, state)
      expect(await pieces.next()).toBe(stateEvent(state))
    }
    await moveTo(real, id, 'ended', {
      outcome: 'completed',
      ended_reason: 'customer-ended-call',
      transcript: 'Hello',
    })
    expect(await pieces.rest()).toBe(stateEvent('ended', 'completed'))
  })

  it('tells each of many changes at once, in order', async () => {
    const id = await requestIn(real, 'queued')
    const pieces = await following(id, 'queued')
    await real.transaction(async (tx) => {
      for (const state of ['dialling', 'ringing', 'in-progress', 'ended']) await moveTo(tx, id, state)
    })
    expect(await pieces.rest()).toBe(
      ['dialling', 'ringing', 'in-progress', 'ended'].map((state) => stateEvent(state)).join(''),
    )
  })

  it.each([
    ['ended', { outcome: 'no_answer' }, 'no_answer'],
    ['refused', { refusal: 'limit_number' }, undefined],
    ['failed', { last_error: 'refused: +14155550001 is bad', outcome: 'platform_fault' }, 'platform_fault'],
  ])('tells of a request that is %s, once', async (state, fields, outcome) => {
    const id = await requestIn(real, state, fields as Record<string, string>)
    expect(await eventPieces(await events(id)).rest()).toBe(`retry: 3000\n\n${stateEvent(state, outcome)}`)
  })

  it('tells a browser that comes back after the last to stay away', async () => {
    const id = await requestIn(real, 'ended')
    const again = await events(id, { 'last-event-id': 'ended' })
    expect([again.status, await again.text()]).toEqual([204, ''])
    expect((await events(id, { 'last-event-id': 'ringing' })).status).toBe(200)
    expect((await events(await requestIn(real, 'ringing'), { 'last-event-id': 'ringing' })).status).toBe(200)
  })

  it('is there for requests that are, and for GET', async () => {
    const there = await requestIn(real, 'queued')
    for (const id of ['00000000-0000-4000-8000-000000000000', 'x', '', "' or true --"]) {
      const response = await live.events(new Request('https://desk.example/'), id)
      expect([response.status, vi.getTimerCount()]).toEqual([404, 0])
      expect(await response.json()).toMatchObject({ code: 'not_found' })
    }
    const refusal = await events(there, {}, 'POST')
    expect([refusal.status, refusal.headers.get('allow')]).toEqual([405, 'GET'])
  })

  it('misses nothing that happens while the first state is read', async () => {
    const id = await requestIn(real, 'dialling')
    let reads = 0
    db.query = async (sql, parameters, options) => {
      const result = await real.query(sql, parameters, options)
      if (++reads === 1) await moveTo(real, id, 'ringing')
      return result as never
    }
    const pieces = eventPieces(await events(id))
    await pieces.next()
    // What is told of the move may be there first: then the older state is left out.
    const told = [await pieces.next()]
    if (told[0] !== stateEvent('ringing')) told.push(await pieces.next())
    expect([[stateEvent('ringing')], [stateEvent('dialling'), stateEvent('ringing')]]).toContainEqual(told)
  })

  it('never goes back, when the first state is read late', async () => {
    const id = await requestIn(real, 'dialling')
    let reads = 0
    let readAgain = () => {}
    const again = new Promise<void>((resolve) => {
      readAgain = resolve
    })
    db.query = async (sql, parameters, options) => {
      const first = ++reads === 1
      const result = await real.query(sql, parameters, options)
      if (first) {
        await moveTo(real, id, 'ringing')
        await again
        await real.query('select 1')
      } else readAgain()
      return result as never
    }
    const pieces = eventPieces(await events(id))
    await moveTo(real, id, 'ended')
    expect(await pieces.rest()).toBe(`retry: 3000\n\n${stateEvent('ringing')}${stateEvent('ended')}`)
  })

  it('waits ten minutes for news of an unknown call', async () => {
    const id = await requestIn(real, 'unknown')
    const pieces = await following(id, 'unknown')
    vi.advanceTimersByTime(15_000)
    expect(await pieces.next()).toBe(':\n\n')
    await real.query(
      "update call_desk.call_requests set unknown_at = now() - interval '601 seconds' where id = $1",
      [id],
    )
    vi.advanceTimersByTime(15_000)
    expect(await pieces.rest()).toBe(':\n\n')
    expect((await events(id, { 'last-event-id': 'unknown' })).status).toBe(204)
    expect(await eventPieces(await events(id)).rest()).toContain(stateEvent('unknown'))
  })

  it('tells what became of an unknown call', async () => {
    const id = await requestIn(real, 'unknown')
    const pieces = await following(id, 'unknown')
    await moveTo(real, id, 'failed')
    expect(await pieces.rest()).toBe(stateEvent('failed'))
  })

  it('reads again with each heartbeat, so that a lost notification is made good', async () => {
    db.listen = async () => async () => {}
    const id = await requestIn(real, 'dialling')
    const pieces = await following(id, 'dialling')
    await moveTo(real, id, 'ringing')
    vi.advanceTimersByTime(15_000)
    expect(await pieces.next()).toBe(':\n\n')
    expect(await pieces.next()).toBe(stateEvent('ringing'))
  })

  it('listens once for all streams, and again when that failed', async () => {
    const id = await requestIn(real, 'dialling')
    const { listen } = db
    db.listen = () => Promise.reject(new Error('no connection'))
    const response = await events(id)
    expect([response.status, vi.getTimerCount()]).toEqual([503, 0])
    expect(await response.json()).toMatchObject({ code: 'unavailable' })
    expect(lines).toHaveLength(1)
    db.listen = listen
    expect(listens).toBe(0)
    const streams = await Promise.all(Array.from({ length: 5 }, () => following(id, 'dialling')))
    expect(listens).toBe(1)
    await moveTo(real, id, 'ringing')
    for (const pieces of streams) expect(await pieces.next()).toBe(stateEvent('ringing'))
  })

  it('ends streams when the database fails, once and logged, and serves the next', async () => {
    const [id, other] = [await requestIn(real, 'dialling'), await requestIn(real, 'dialling')]
    const streams = [await following(id, 'dialling'), await following(other, 'dialling')]
    db.query = () => Promise.reject(new Error(`no database for ${id}`))
    vi.advanceTimersByTime(15_000)
    for (const pieces of streams) expect(await pieces.rest()).toBe(':\n\n')
    expect(lines).toHaveLength(1)
    expect(lines[0]).not.toContain(id)
    expect((await events(id)).status).toBe(503)
    db.query = real.query
    await following(id, 'dialling')
  })

  it('ends the stream of a request that is removed', async () => {
    const id = await requestIn(real, 'dialling')
    const pieces = await following(id, 'dialling')
    await real.exec('delete from call_desk.call_requests')
    vi.advanceTimersByTime(15_000)
    expect(await pieces.rest()).toBe(':\n\n')
  })

  it('follows one request twenty times at once, and is free again at once', async () => {
    const id = await requestIn(real, 'dialling')
    const streams = await Promise.all(Array.from({ length: 20 }, () => following(id, 'dialling')))
    expect((await events(id)).status).toBe(503)
    await following(await requestIn(real, 'dialling'), 'dialling')
    await streams[7]?.leave()
    await following(id, 'dialling')
    expect((await events(id)).status).toBe(503)
  })

  it('has a thousand streams at the most', async () => {
    const ids = await Promise.all(Array.from({ length: 51 }, () => requestIn(real, 'dialling')))
    const open = await Promise.all(
      Array.from({ length: 1000 }, async (_, place) => {
        const response = await events(ids[place % 50] ?? '')
        return response.status
      }),
    )
    expect(new Set(open)).toEqual(new Set([200]))
    expect((await events(ids[50] ?? '')).status).toBe(503)
    // Nobody reads any of them: they are let go after a while.
    for (let beat = 0; beat < 40; beat++) vi.advanceTimersByTime(15_000)
    expect((await events(ids[50] ?? '')).status).toBe(200)
  })

  describe('of many addresses', () => {
    let now = 0
    beforeEach(async () => {
      await live.close()
      now = 0
      live = createLiveStatus({ db, logger, addressOf, clock: () => now })
    })
    const from = (address: string, id: string) => events(id, { [ADDRESS_HEADER]: address })
    const codeOf = async (response: Response) => `${response.status} ${(await response.json()).code}`

    it('gives one ten streams at once, and the page of another its own', async () => {
      const id = await requestIn(real, 'dialling')
      for (let place = 0; place < 10; place++) expect((await from('203.0.113.1', id)).status).toBe(200)
      expect(await codeOf(await from('203.0.113.1', id))).toBe('429 too_many_streams')
      expect((await from('203.0.113.2', id)).status).toBe(200)
      // All addresses of a /64 are one client's.
      for (let place = 0; place < 9; place++)
        expect((await from(`2001:db8:1:2::${place}`, id)).status).toBe(200)
    })

    it('lets one ask sixty times in a minute, found or not', async () => {
      const id = await requestIn(real, 'ended')
      const unknown = '00000000-0000-4000-8000-000000000000'
      for (let place = 0; place < 60; place++) expect((await from('203.0.113.1', unknown)).status).toBe(404)
      const query = vi.spyOn(db, 'query')
      expect(await codeOf(await from('203.0.113.1', id))).toBe('429 too_many_streams')
      expect(query).not.toHaveBeenCalled()
      expect((await from('203.0.113.2', id)).status).toBe(200)
      now = 60_000
      expect((await from('203.0.113.1', id)).status).toBe(200)
    })

    it('has a place for who has none, while others have many', async () => {
      const ids = await Promise.all(Array.from({ length: 51 }, () => requestIn(real, 'dialling')))
      const attack = await Promise.all(
        Array.from({ length: 1000 }, (_, place) => from(`10.0.${place % 100}.1`, ids[place % 50] ?? '')),
      )
      expect(new Set(attack.map(({ status }) => status))).toEqual(new Set([200]))
      const mine = ids[50] ?? ''
      for (let place = 0; place < 9; place++) expect((await from('203.0.113.1', mine)).status).toBe(200)
      // With nine of a thousand it has nearly what each of the others has left: none gives way to it any more.
      expect((await from('203.0.113.1', mine)).status).toBe(503)
      expect((await from('203.0.113.2', mine)).status).toBe(200)
    })
  })

  it('tells of a request whose number was on another call that it is queued, and nothing of that call', async () => {
    const first = await requestIn(real, 'dialling')
    const id = await requestIn(real, 'refused', { refusal: 'repeated' })
    const pieces = await following(id, 'queued')
    const other = await following(first, 'dialling')
    for (const state of ['ringing', 'in-progress', 'ended']) await moveTo(real, first, state)
    // All that was notified has been told.
    await other.rest()
    const query = vi.spyOn(db, 'query')
    vi.advanceTimersByTime(15_000)
    expect(await pieces.next()).toBe(':\n\n')
    // The state is not read after the update.
    await vi.waitFor(() => expect(query).toHaveBeenCalledOnce())
    await query.mock.results[0]?.value
    await real.query(
      "update call_desk.call_requests set created_at = now() - interval '61 seconds' where id = $1",
      [id],
    )
    vi.advanceTimersByTime(15_000)
    expect(await pieces.rest()).toBe(':\n\n')
    expect((await events(id, { 'last-event-id': 'queued' })).status).toBe(204)
  })

  it('keeps nothing of those who are gone', async () => {
    const id = await requestIn(real, 'dialling')
    const streams = await Promise.all(Array.from({ length: 3 }, () => following(id, 'dialling')))
    expect(vi.getTimerCount()).toBe(1)
    for (const pieces of streams) await pieces.leave()
    expect(vi.getTimerCount()).toBe(0)
    const query = vi.spyOn(db, 'query')
    await moveTo(real, id, 'ringing')
    await real.query('select 1')
    expect(query).not.toHaveBeenCalled()
  })

  it('hears over HTTP that a client is gone', async () => {
    const id = await requestIn(real, 'dialling')
    const gone: Promise<unknown>[] = []
    const server = createServer(async (_, response) => {
      const { body, status, headers } = await events(id)
      response.writeHead(status, Object.fromEntries(headers))
      if (body) gone.push(pipeline(Readable.fromWeb(body as never), response).catch(() => 'gone'))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const client = new AbortController()
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {
      signal: client.signal,
    })
    const reader = response.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toContain('retry')
    expect(vi.getTimerCount()).toBe(1)
    client.abort()
    await expect.poll(() => gone.length).toBe(1)
    expect(await gone[0]).toBe('gone')
    await expect.poll(() => vi.getTimerCount()).toBe(0)
    server.closeAllConnections()
    server.close()
  })

  it('ends every stream at its close, and begins none after it', async () => {
    const id = await requestIn(real, 'dialling')
    const streams = [
      await following(id, 'dialling'),
      await following(await requestIn(real, 'queued'), 'queued'),
    ]
    const opening = events(id)
    await live.close()
    for (const pieces of streams) expect(await pieces.rest()).toBe('')
    expect(await eventPieces(await opening).rest()).toBe('retry: 3000\n\n')
    expect((await events(id)).status).toBe(503)
    await live.close()
  })
})
