import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import type { Db } from '@heyline/database'
import { systemClock } from '@heyline/kit/clock'
import { ManualClock } from '@heyline/kit/manual-clock'
import { FATAL_ERRORS } from '@heyline/room-protocol'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type PlatformBench, startPlatform, type TestSocket } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'
import { Relay } from './relay.js'

const KEY = new Uint8Array(32).fill(7)
const SOON = { timeout: 10_000, interval: 20 }
const HOST = '127.0.0.1'

let db: Db
beforeAll(async () => {
  db = await openPlatformDb()
})
afterAll(() => db.close())
const closers: (() => Promise<unknown> | unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const openRelay = async (key = KEY, address?: string) => {
  const relay = await Relay.open({
    ...{ host: HOST, port: 0, processId: crypto.randomUUID(), key, clock: systemClock },
    ...(address !== undefined && { address }),
  })
  closers.push(() => relay.close())
  return relay
}

interface Process extends PlatformBench {
  relay: Relay
  log: string[]
}

/** A process of the installation. The database of the tests is kept by one process only, so it must not look alone. */
async function start(key = KEY, address?: string): Promise<Process> {
  const relay = await openRelay(key, address)
  const log: string[] = []
  const logger = pino({}, { write: (line: string) => void log.push(line) })
  const several: Db = Object.assign(Object.create(db), { kind: 'postgres' })
  const bench = await startPlatform(several, { relay, logger, transferGate: async () => undefined })
  closers.push(() => bench.close())
  await vi.waitFor(async () => {
    const { rows } = await db.query('select id from voice_platform.processes where id = $1', [
      relay.processId,
    ])
    expect(rows).toHaveLength(1)
  }, SOON)
  return Object.assign(bench, { relay, log })
}

const came = (room: TestSocket, type: string) =>
  vi.waitFor(() => {
    const message = room.texts.find((text) => text.type === type)
    if (!message) throw new Error(`${type} has not come yet`)
    return message
  }, SOON)

/** A call that somebody has joined at this process, and how they come back at another. */
async function talking(holder: PlatformBench) {
  const { id, webCallUrl = '' } = await holder.client.calls.createWeb({ assistant: { firstMessage: '' } })
  const room = holder.openRoom(webCallUrl)
  const { resumeToken } = await came(room, 'room.joined')
  await came(room, 'room.listening')
  const back = (other: PlatformBench, token = String(resumeToken)) =>
    other.openRoom(`${other.publicUrl.replace('http', 'ws')}/-/rooms/${id}?resume=${token}`)
  return { id, room, back }
}
/** Until a process has met so many others. */
const isReached = (bench: Process, others: number) =>
  vi.waitFor(() => expect(bench.log.filter((line) => line.includes('is reached'))).toHaveLength(others), SOON)
const statusOf = async (bench: PlatformBench, id: string) => (await bench.client.calls.get(id)).status

describe('a client that comes back at another process', () => {
  it('is passed on to the one that holds its call, both ways and until the end', async () => {
    const [holder, other] = [await start(), await start()]
    const { id, room, back } = await talking(holder)
    room.socket.terminate()
    const again = back(other)
    expect(await came(again, 'room.joined')).toMatchObject({ callId: id })
    again.socket.send('{"type":"say","message":"I am here."}')
    await came(again, 'speech-update')
    await vi.waitFor(() => expect(again.audioBytes()).toBeGreaterThan(0), SOON)
    again.socket.ping('still there?')
    expect(String((await once(again.socket, 'pong'))[0])).toBe('still there?')
    again.socket.send('{"type":"room.leave"}')
    expect(await again.closed).toMatchObject({ code: 1000 })
    await vi.waitFor(async () => expect(await statusOf(other, id)).toBe('ended'), SOON)
  })

  it('is bounded by the holder as a direct one is, and hears the same code and reason', async () => {
    const [holder, other] = [await start(), await start()]
    const { back } = await talking(holder)
    const again = back(other)
    await came(again, 'room.joined')
    again.socket.send('no message at all')
    expect(await again.closed).toMatchObject({ code: 1007, reason: expect.stringMatching(/./) })
  })

  it('is refused by the holder where its token is wrong', async () => {
    const [holder, other] = [await start(), await start()]
    const { back, room } = await talking(holder)
    expect((await back(other, 'wrong').closed).code).toBe(FATAL_ERRORS['not-allowed'])
    expect(room.socket.readyState).toBe(room.socket.OPEN)
  })

  it('is cut when the process that passes it on loses the holder', async () => {
    const [holder, other] = [await start(), await start()]
    const { back } = await talking(holder)
    const again = back(other)
    await came(again, 'room.joined')
    await holder.relay.close()
    expect((await again.closed).code).toBe(1006)
  })
})

describe('a process that was not reached', () => {
  it('keeps its calls where another one listens at its address, and the log says once what to do', async () => {
    const stranger = await openRelay()
    const [holder, other] = [await start(KEY, stranger.address), await start()]
    const { id, back } = await talking(holder)
    for (let n = 0; n < 2; n += 1)
      expect((await back(other).closed).code).toBe(FATAL_ERRORS['connection-error'])
    expect(await statusOf(other, id)).toBe('in-progress')
    expect(other.log.filter((line) => line.includes('RELAY_HOST'))).toHaveLength(1)
  }, 30_000)

  it('keeps its calls where its address is refused, since it answers through the database', async () => {
    const [holder, other] = [await start(), await start()]
    await isReached(other, 1)
    const { id, back } = await talking(holder)
    await holder.relay.close()
    expect((await back(other).closed).code).toBe(FATAL_ERRORS['connection-error'])
    expect(await statusOf(other, id)).toBe('in-progress')
  }, 30_000)

  it('keeps its calls where it was never reached, though nobody listens or answers', async () => {
    const closed = await openRelay()
    await closed.close()
    const other = await start()
    const nowhere = crypto.randomUUID()
    await db.query('insert into voice_platform.processes (id, relay_address) values ($1, $2)', [
      nowhere,
      closed.address,
    ])
    const { rows } = await db.query<{ id: string }>(
      `insert into voice_platform.calls (type, status, assistant, owner, room_secret_hash, started_at)
       values ('webCall', 'in-progress', '{}', $1, 'spent', now()) returning id`,
      [nowhere],
    )
    const id = String(rows[0]?.id)
    const client = other.openRoom(`${other.publicUrl.replace('http', 'ws')}/-/rooms/${id}?resume=x`)
    expect((await client.closed).code).toBe(FATAL_ERRORS['not-allowed'])
    expect(await statusOf(other, id)).toBe('in-progress')
    await db.query('delete from voice_platform.processes where id = $1', [nowhere])
    await db.query('delete from voice_platform.calls where id = $1', [id])
  })

  it('keeps its calls where it has other keys', async () => {
    const [holder, other] = [await start(), await start(new Uint8Array(32).fill(8))]
    const { id, back } = await talking(holder)
    expect((await back(other).closed).code).toBe(FATAL_ERRORS['connection-error'])
    expect(await statusOf(holder, id)).toBe('in-progress')
    expect(other.log.join('')).toContain('has other keys')
  })

  it('keeps its calls where it takes connections and does not answer', async () => {
    const silent = createServer(() => {})
    silent.listen(0, HOST)
    await once(silent, 'listening')
    closers.push(() => silent.close())
    const { port } = silent.address() as { port: number }
    const [holder, other] = [await start(KEY, `${HOST}:${port}`), await start()]
    const { id, back } = await talking(holder)
    expect((await back(other).closed).code).toBe(FATAL_ERRORS['connection-error'])
    expect(await statusOf(other, id)).toBe('in-progress')
  }, 30_000)

  it('is gone where nobody listens or answers: its calls end, once, and their clients hear why', async () => {
    const other = await start()
    const { id } = await other.client.calls.createWeb({ assistant: {} })
    const dying = await openRelay()
    const { address, processId: gone } = dying
    await db.query('insert into voice_platform.processes (id, relay_address) values ($1, $2)', [
      gone,
      address,
    ])
    await isReached(other, 1)
    await dying.close()
    const token = 'the-token-of-somebody'
    const { rows } = await db.query<{ id: string }>(
      `insert into voice_platform.calls (type, status, assistant, owner, room_secret_hash, resume_token_hash, started_at)
       values ('webCall', 'in-progress', '{}', $1, 'spent', encode(sha256($2::text::bytea), 'hex'), now()) returning id`,
      [gone, token],
    )
    const lost = String(rows[0]?.id)
    const address2 = `${other.publicUrl.replace('http', 'ws')}/-/rooms/${lost}?resume=${token}`
    const clients = Array.from({ length: 5 }, () => other.openRoom(address2))
    for (const client of clients) {
      expect(await client.closed).toEqual({ code: 1000, reason: 'worker-shutdown' })
      expect(client.texts).toEqual([{ type: 'room.ended', reason: 'worker-shutdown' }])
    }
    expect(await other.client.calls.get(lost)).toMatchObject({
      status: 'ended',
      endedReason: 'worker-shutdown',
    })
    expect(await statusOf(other, id)).toBe('queued')
    expect(other.log.filter((line) => line.includes('another server is gone'))).toHaveLength(1)
  }, 30_000)
})

describe('whoever answers a transferred call', () => {
  it('is joined into it from another process, heard, and let back there', async () => {
    const [holder, other] = [await start(), await start()]
    const answers = (phone: TestSocket) => {
      phone.socket.on('message', (data) => {
        const { type, callId } = JSON.parse(String(data))
        if (type === 'ring') phone.socket.send(JSON.stringify({ type: 'answer', callId }))
      })
      return came(phone, 'answered')
    }
    const phone = await holder.openPhone()
    const picked = answers(phone)
    const { assistantId } = await holder.platform.defaults()
    const { id } = await holder.client.calls.create({
      assistantId,
      assistantOverrides: { firstMessage: '' },
      customer: { number: '+12025550123' },
    })
    const caller = holder.openRoom(String((await picked).roomUrl))
    await came(caller, 'room.listening')
    const sales = await other.openPhone()
    const answered = answers(sales)
    const to = { type: 'number', number: '+12025550142', message: '' }
    const asked = await other.request('POST', `/call/${id}/control`, { type: 'transfer', destination: to })
    expect(asked.status).toBe(200)
    const { roomUrl } = await answered
    expect(String(roomUrl)).toContain(new URL(other.publicUrl).host)
    const callee = other.openRoom(String(roomUrl))
    const { resumeToken } = await came(callee, 'room.joined')
    await came(callee, 'room.listening')
    const isHeard = (by: TestSocket) => {
      const before = by.audioBytes()
      return vi.waitFor(() => {
        caller.socket.send(Buffer.alloc(640, 9))
        expect(by.audioBytes()).toBeGreaterThan(before)
      }, SOON)
    }
    await isHeard(callee)
    callee.socket.terminate()
    const back = new URL(String(roomUrl))
    back.searchParams.delete('secret')
    back.searchParams.set('resume', String(resumeToken))
    const again = other.openRoom(back.href)
    await came(again, 'room.joined')
    await isHeard(again)
  }, 30_000)
})

describe('a long control message', () => {
  it('reaches the process that holds the call', async () => {
    const [holder, other] = [await start(), await start()]
    const { id } = await talking(holder)
    const content = `Long. ${'x'.repeat(9_000)}`
    const asked = await other.request('POST', `/call/${id}/control`, { type: 'say', content })
    expect(asked.status).toBe(200)
    const { engines } = holder
    await vi.waitFor(
      () => expect(engines instanceof ScriptedEngines && engines.spoken.join(' ')).toContain('Long.'),
      SOON,
    )
  })
})

describe('whoever is no process of the installation', () => {
  const knock = async (relay: Relay): Promise<Socket> => {
    const socket = connect(Number(relay.address.split(':').at(-1)), HOST)
    socket.on('error', () => undefined)
    closers.push(() => socket.destroy())
    await once(socket, 'connect')
    return socket
  }
  const answerOf = async (socket: Socket) => {
    const said: string[] = []
    socket.on('data', (data) => said.push(String(data)))
    await once(socket, 'close')
    return said.join('')
  }

  it.each([
    ['asks by HTTP', 'GET /-/rooms/x HTTP/1.1\r\nhost: relay\r\n\r\n'],
    ['makes up a proof', (greeting: string) => `${greeting.split(' ')[1]} nonce proof\n`],
    ['sends a long line', 'x'.repeat(1_000)],
  ])('hears nothing where it %s', async (_, line) => {
    const relay = await openRelay()
    relay.http.on('request', () => expect.unreachable())
    const socket = await knock(relay)
    const [greeting] = await once(socket, 'data')
    const answer = answerOf(socket)
    socket.write(typeof line === 'string' ? line : line(String(greeting)))
    expect(await answer).toBe('')
  })

  it('is cut where it says nothing', async () => {
    const clock = new ManualClock()
    const relay = await Relay.open({ host: HOST, port: 0, processId: crypto.randomUUID(), key: KEY, clock })
    closers.push(() => relay.close())
    const socket = await knock(relay)
    await once(socket, 'data')
    clock.advance(3_000)
    await once(socket, 'close')
  })

  it('keeps no process out, however many say nothing: the first of these go', async () => {
    const relay = await openRelay()
    relay.onPosted(async (path) => path)
    const { processId: process, address } = relay
    const crowd = await Promise.all(Array.from({ length: 20 }, () => knock(relay)))
    await Promise.all(crowd.map((socket) => once(socket, 'data')))
    const ends = crowd.map((socket) => once(socket, 'close'))
    const late = await knock(relay)
    await once(late, 'data')
    await Promise.race(ends)
    expect(crowd.filter(({ destroyed }) => destroyed)).toHaveLength(1)
    const other = await openRelay()
    expect(await other.post({ process, address }, '/here', '')).toBe('/here')
    expect(crowd.filter(({ destroyed }) => destroyed).length).toBeLessThanOrEqual(2)
  })

  it('cannot use a proof that it has heard', async () => {
    const relay = await openRelay()
    relay.onPosted(async (path) => path)
    const heard: Buffer[] = []
    const tapped = await tap(relay, (data) => heard.push(data))
    const other = await openRelay()
    const { processId: process } = relay
    expect(await other.post({ process, address: tapped }, '/taken', '')).toBe('/taken')
    const [proof = Buffer.alloc(0)] = heard
    const socket = await knock(relay)
    await once(socket, 'data')
    const answer = answerOf(socket)
    socket.write(proof)
    expect(await answer).toBe('')
  })

  /** Where what goes to this relay is heard. */
  async function tap(relay: Relay, hear: (data: Buffer) => void): Promise<string> {
    const server: Server = createServer((peer) => {
      const onward = connect(Number(relay.address.split(':').at(-1)), HOST)
      peer.on('data', hear).on('error', () => undefined)
      onward.on('error', () => undefined)
      peer.pipe(onward).pipe(peer)
    })
    server.listen(0, HOST)
    await once(server, 'listening')
    closers.push(() => server.close())
    return `${HOST}:${(server.address() as { port: number }).port}`
  }
})
