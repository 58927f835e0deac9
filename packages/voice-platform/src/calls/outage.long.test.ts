import type { Db } from '@heyline/database'
import { ManualClock } from '@heyline/kit/manual-clock'
import type { ServerMessage } from '@heyline/platform-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Carrier, CarrierEvents } from '../carriers/carrier.js'
import { CalleeLink } from '../carriers/simulated/callee-link.js'
import { Outage } from '../testing/outage.js'
import { KEYS, type PlatformBench, startPlatform, type TestSocket } from '../testing/platform-bench.js'
import { openPlatformDb, PLATFORM_DBS } from '../testing/platform-db.js'

describe.each(PLATFORM_DBS)('while the database is away (%s)', (kind) => {
  let db: Db
  let outage: Outage
  let clock: ManualClock
  let bench: PlatformBench
  /** What the calls' server was told. */
  let told: ServerMessage[]
  beforeAll(async () => {
    db = await openPlatformDb(kind)
  })
  afterAll(() => db.close())
  beforeEach(async () => {
    outage = new Outage(db)
    clock = new ManualClock()
    told = []
    const hear: typeof fetch = async (_, init) => {
      told.push(JSON.parse(String(init?.body)).message)
      return new Response('{}')
    }
    bench = await startPlatform(outage.db, {
      ...{ clock, fetch: hear, server: { url: 'https://calls.example/', secret: 's' } },
    })
    await bench.platform.defaults()
  })
  afterEach(() => bench.close())

  /** For a machine that is busy with others. */
  const soon = { timeout: 10_000 }
  const came = (room: TestSocket, type: string) =>
    vi.waitFor(() => expect(room.texts.map((text) => text.type)).toContain(type), soon)
  const endsAs = (id: string, endedReason: string) =>
    vi.waitFor(async () => {
      clock.advance(200)
      expect(await bench.client.calls.get(id)).toMatchObject({ status: 'ended', endedReason })
    }, soon)
  const webCall = async (assistant = {}) => {
    const { id, webCallUrl = '' } = await bench.client.calls.createWeb({ assistant })
    return { id, open: () => bench.openRoom(webCallUrl) }
  }
  const phoneCall = async (number: string) => {
    const { assistantId } = await bench.platform.defaults()
    const { id } = await bench.client.calls.create({ assistantId, customer: { number } })
    return id
  }
  /** Until so many more statements have failed. */
  const misses = async (count: number, passMs = 100) => {
    const { failed } = outage
    await vi.waitFor(() => {
      clock.advance(passMs)
      expect(outage.failed).toBeGreaterThanOrEqual(failed + count)
    }, 10_000)
  }

  it('the REST API answers 503, and when to come again', async () => {
    const { id } = await webCall()
    outage.isDown = true
    const answer = await bench.platform.fetch(
      new Request(`http://platform/call/${id}`, { headers: { authorization: `Bearer ${KEYS.private}` } }),
    )
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await answer.json()).toMatchObject({ statusCode: 503, error: 'Service Unavailable' })
    outage.isDown = false
    expect(await bench.client.calls.get(id)).toMatchObject({ id })
  })

  it('a conversation that ends is written down later, whole', async () => {
    const { id, open } = await webCall({ firstMessage: '' })
    const room = open()
    await came(room, 'room.listening')
    room.socket.send('{"type":"add-message","message":{"role":"user","content":"Hello."}}')
    await came(room, 'conversation-update')
    outage.isDown = true
    room.socket.send('{"type":"room.leave"}')
    await room.closed
    await misses(3)
    outage.isDown = false
    await endsAs(id, 'customer-ended-call')
    expect((await bench.client.calls.get(id)).transcript).toContain('User: Hello.')
  })

  const endsTold = () =>
    told.flatMap((message) =>
      message.type === 'end-of-call-report' ||
      (message.type === 'status-update' && message.status === 'ended')
        ? [[message.type, message.endedReason]]
        : [],
    )
  /** Time goes on until the end was told, and for a while after that. */
  const isToldOnce = async (endedReason: string) => {
    const once = [
      ['status-update', endedReason],
      ['end-of-call-report', endedReason],
    ]
    await vi.waitFor(() => {
      clock.advance(200)
      expect(endsTold()).toEqual(once)
    }, soon)
    clock.advance(1_000)
    await bench.close()
    expect(endsTold()).toEqual(once)
  }

  it('the end of a conversation is told once, where the answer to it was lost', async () => {
    const { open } = await webCall({ firstMessage: '' })
    const room = open()
    await came(room, 'room.listening')
    outage.losesAnswer = /ended_reason = .*performance/s
    room.socket.send('{"type":"room.leave"}')
    await room.closed
    await isToldOnce('customer-ended-call')
    expect(outage.losesAnswer).toBeUndefined()
  })

  it('the end of a phone call that rang in vain is told once, where the answer to it was lost', async () => {
    outage.losesAnswer = /ended_reason = .*status in/s
    await phoneCall('+12025550102')
    await isToldOnce('customer-busy')
    expect(outage.losesAnswer).toBeUndefined()
  })

  it('the end of a web call that nobody joined is told once, where the answer to it was lost', async () => {
    await webCall()
    outage.losesAnswer = /ended_reason = .*status in/s
    clock.advance(15_000)
    await isToldOnce('assistant-did-not-receive-customer-audio')
    expect(outage.losesAnswer).toBeUndefined()
  })

  it('the end of a call that could not begin is told once, where the answer to it was lost', async () => {
    const { open } = await webCall()
    outage.fails = /set status = 'in-progress'/
    outage.losesAnswer = /ended_reason = .*status <> 'ended'/s
    await open().closed
    await isToldOnce('call.in-progress.error-vapifault-worker-died')
    expect(outage.losesAnswer).toBeUndefined()
  })

  it('a conversation that holds what no database can store is written down without it', async () => {
    const { id, open } = await webCall({ firstMessage: '' })
    const room = open()
    await came(room, 'room.listening')
    const content = 'One\0two \ud800.'
    room.socket.send(JSON.stringify({ type: 'add-message', message: { role: 'user', content } }))
    await came(room, 'conversation-update')
    room.socket.send('{"type":"room.leave"}')
    await room.closed
    await endsAs(id, 'customer-ended-call')
    const { transcript } = await bench.client.calls.get(id)
    expect(transcript).toContain('User: One\ufffdtwo \ufffd.')
  })

  it('nobody sits in a room in silence', async () => {
    const { id, open } = await webCall()
    outage.fails = /set status = 'in-progress'/
    const room = open()
    expect((await room.closed).reason).toBe('call.in-progress.error-vapifault-worker-died')
    await endsAs(id, 'call.in-progress.error-vapifault-worker-died')
  })

  it('a web call that nobody joins ends later', async () => {
    const { id } = await webCall()
    outage.isDown = true
    clock.advance(15_000)
    await misses(2)
    outage.isDown = false
    await endsAs(id, 'assistant-did-not-receive-customer-audio')
  })

  it('a phone call that rings in vain ends later', async () => {
    const id = await phoneCall('+12025550102')
    outage.isDown = true
    await misses(3)
    outage.isDown = false
    await endsAs(id, 'customer-busy')
    const { rows } = await db.query('select * from voice_platform.simulated_legs')
    expect(rows).toEqual([])
  })

  it('a phone call is not placed, may be placed a moment later, and leaves no record', async () => {
    const latest = () => bench.client.calls.list({ limit: 1 })
    const before = await latest()
    outage.fails = /insert into voice_platform.simulated_legs|delete from voice_platform.calls/
    const placing = phoneCall('+12025550123')
    await expect(placing).rejects.toMatchObject({ status: 429 })
    await misses(2)
    outage.fails = undefined
    await vi.waitFor(async () => {
      clock.advance(200)
      expect(await latest()).toEqual(before)
    }, soon)
  })

  it.each([
    ['its assistant', /from voice_platform.assistants/],
    ['its row', /insert into voice_platform.calls/],
  ])('a phone call for which %s cannot be reached was surely not placed, and says so', async (_, fails) => {
    const { assistantId } = await bench.platform.defaults()
    const before = await bench.client.calls.list()
    outage.fails = fails
    const placing = bench.client.calls.create({ assistantId, customer: { number: '+12025550123' } })
    await expect(placing).rejects.toMatchObject({
      status: 429,
      code: 'outage',
      message: 'The database cannot be used now; no call was placed.',
      retryAfter: 2,
    })
    outage.fails = undefined
    expect(await bench.client.calls.list()).toEqual(before)
  })

  it('a phone call whose row was stored without an answer leaves no record', async () => {
    const before = await bench.client.calls.list()
    outage.losesAnswer = /insert into voice_platform.calls/
    await expect(phoneCall('+12025550123')).rejects.toMatchObject({ status: 429, retryAfter: 2 })
    expect(outage.losesAnswer).toBeUndefined()
    await vi.waitFor(async () => expect(await bench.client.calls.list()).toEqual(before), soon)
  })

  it('who picks up a phone is not left alone', async () => {
    const phone = await bench.openPhone()
    const id = await phoneCall('+12025550123')
    await came(phone, 'ring')
    outage.fails = /set room_secret_hash/
    phone.socket.send(JSON.stringify({ type: 'answer', callId: id }))
    await came(phone, 'stop')
    await endsAs(id, 'call.in-progress.error-providerfault-transport-never-connected')
  })

  it('closing waits for no database', async () => {
    const { id, open } = await webCall({ firstMessage: 'Hello.' })
    const waiting = await webCall()
    const room = open()
    await came(room, 'room.listening')
    await phoneCall('+12025550123')
    outage.isDown = true
    await bench.close()
    outage.isDown = false
    // The next process finds what this one could not store.
    await db.exec('delete from voice_platform.processes')
    // Nor does this one show that it lives, once the database is back.
    clock.advance(5_000)
    expect((await db.query('select * from voice_platform.processes')).rows).toEqual([])
    bench = await startPlatform(outage.db, { clock })
    await endsAs(id, 'worker-shutdown')
    await endsAs(waiting.id, 'worker-shutdown')
  })
})

describe('the heartbeat', () => {
  let db: Db
  let bench: PlatformBench
  // Ahead of the database's clock: the time to join a call that waits is not over.
  const clock = new ManualClock(Date.UTC(2030, 0, 1))
  const hungUp: string[] = []
  let events: CarrierEvents | undefined
  const carrier: Carrier = {
    name: 'scripted',
    connect: (to) => {
      events = to
    },
    dial: async () => ({ id: 'leg-1' }),
    hangUp: async (callId) => void hungUp.push(callId),
    sendText: async () => undefined,
    close: async () => undefined,
  }
  beforeAll(async () => {
    db = await openPlatformDb()
    bench = await startPlatform(db, { clock, carrier })
  })
  afterAll(async () => {
    await bench.close()
    await db.close()
  })

  const phoneCall = async () => {
    const { assistantId } = await bench.platform.defaults()
    const call = await bench.client.calls.create({ assistantId, customer: { number: '+12025550123' } })
    return call.id
  }
  const become = (id: string, set: string) =>
    db.query(`update voice_platform.calls set ${set} where id = $1`, [id])
  const statusOf = async (id: string) => (await bench.client.calls.get(id)).status

  it('ends its own calls that nobody here holds, and no other', async () => {
    const talking = await phoneCall()
    const link = new CalleeLink(new ManualClock())
    events?.onAnswered(talking, link)
    await vi.waitFor(async () => expect(await statusOf(talking)).toBe('in-progress'))
    const { id: waiting } = await bench.client.calls.createWeb({ assistant: {} })
    const { id: stale } = await bench.client.calls.createWeb({ assistant: {} })
    const [ringing, fresh, lost] = [await phoneCall(), await phoneCall(), await phoneCall()]
    const [dialled, unheard] = [await phoneCall(), await phoneCall()]
    const long = `updated_at = now() - interval '1 minute'`
    for (const id of [talking, waiting, ringing]) await become(id, long)
    await become(stale, `${long}, room_expires_at = now() - interval '1 minute'`)
    await become(fresh, `status = 'in-progress'`)
    await become(lost, `status = 'in-progress', ${long}`)
    await become(dialled, `carrier_call_id = null, ${long}`)
    await become(unheard, `carrier_call_id = null, created_at = now() - interval '11 minutes', ${long}`)
    clock.advance(5_000)
    await vi.waitFor(async () => expect(await statusOf(lost)).toBe('ended'))
    for (const id of [stale, unheard])
      expect(await bench.client.calls.get(id)).toMatchObject({
        status: 'ended',
        endedReason: 'call.in-progress.error-vapifault-worker-died',
      })
    for (const id of [talking, fresh]) expect(await statusOf(id)).toBe('in-progress')
    for (const id of [waiting, ringing, dialled]) expect(await statusOf(id)).toBe('queued')
    expect(hungUp.sort()).toEqual([lost, unheard].sort())
    link.close('customer-ended-call')
  })

  it('stops the phones of the calls of processes that are gone', async () => {
    const ringing = await phoneCall()
    await become(ringing, `owner = gen_random_uuid()`)
    hungUp.length = 0
    clock.advance(5_000)
    await vi.waitFor(() => expect(hungUp).toEqual([ringing]))
    expect(await bench.client.calls.get(ringing)).toMatchObject({ endedReason: 'worker-shutdown' })
  })
})
