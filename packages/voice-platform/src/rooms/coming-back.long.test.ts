import { createHash } from 'node:crypto'
import type { Db } from '@heyline/database'
import { ManualClock } from '@heyline/kit/manual-clock'
import { FATAL_ERRORS, type FatalErrorKind, GRACE_MS, ROOM_PROTOCOL } from '@heyline/room-protocol'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { Outage } from '../testing/outage.js'
import { type PlatformBench, startPlatform, type TestSocket } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { socketPair } from '../testing/socket-pair.js'
import { RoomDoor } from './room-door.js'
import { SeatStore } from './seat-store.js'

let db: Db
let outage: Outage
let clock: ManualClock
let bench: PlatformBench
beforeAll(async () => {
  db = await openPlatformDb()
  outage = new Outage(db)
})
afterAll(() => db.close())
beforeEach(async () => {
  clock = new ManualClock()
  bench = await startPlatform(outage.db, { clock })
})
afterEach(() => bench.close())

const came = (room: TestSocket, type: string) =>
  vi.waitFor(() => {
    const message = room.texts.find((text) => text.type === type)
    if (!message) throw new Error(`${type} has not come yet`)
    return message
  })
const tokenOf = async (room: TestSocket) => String((await came(room, 'room.joined')).resumeToken)
const call = (id: string) => bench.client.calls.get(id)

/** A call that somebody has joined. */
async function join() {
  const { id, webCallUrl } = await bench.client.calls.createWeb({ assistant: { firstMessage: 'Hello.' } })
  const room = bench.openRoom(webCallUrl ?? '')
  const token = await tokenOf(room)
  await came(room, 'room.listening')
  const back = (resume: string, received = '&received=0') =>
    bench.openRoom(`${(webCallUrl ?? '').replace(/\?.*/, '')}?resume=${resume}${received}`)
  return { id, room, token, back }
}
const expectRefusal = async (room: TestSocket, kind: FatalErrorKind) => {
  expect((await room.closed).code).toBe(FATAL_ERRORS[kind])
  expect(room.texts).toEqual([{ type: 'room.error', kind, message: expect.any(String) }])
}

describe('a client that lost its connection', () => {
  it('is told how long it may come back', async () => {
    const { room } = await join()
    expect(await came(room, 'room.joined')).toMatchObject({ graceMs: GRACE_MS })
  })

  it('may come back for as long as the platform was set to', async () => {
    await bench.close()
    bench = await startPlatform(outage.db, { clock, graceMs: 3_000 })
    const { id, room } = await join()
    expect(await came(room, 'room.joined')).toMatchObject({ graceMs: 3_000 })
    room.socket.terminate()
    await vi.waitFor(async () => {
      clock.advance(3_000)
      expect((await call(id)).endedReason).toBe('customer-ended-call')
    })
  })

  it('is told to try again where it comes back ten times at once, and is let in two seconds later', async () => {
    const { back, room, token: first } = await join()
    room.socket.terminate()
    let token = first
    let last = room
    for (let time = 0; time < 10; time += 1) {
      last = back(token)
      token = await tokenOf(last)
    }
    const tooMuch = back(token)
    await expectRefusal(tooMuch, 'connection-error')
    expect(last.socket.readyState).toBe(last.socket.OPEN)
    clock.advance(2_000)
    await tokenOf(back(token))
  })

  it('comes back with its token, as the one it was, and gets the next token', async () => {
    const { back, id, room, token } = await join()
    room.socket.terminate()
    const again = back(token)
    const next = await tokenOf(again)
    expect(again.texts[0]).toMatchObject({ type: 'room.joined', callId: id })
    expect(again.texts[0]?.participantId).toBe(room.texts[0]?.participantId)
    expect(next).not.toBe(token)
    expect((await call(id)).status).toBe('in-progress')
    again.socket.send('{"type":"end-call"}')
    await vi.waitFor(async () => {
      clock.advance(100)
      expect((await call(id)).status).toBe('ended')
    })
    expect(await again.closed).toEqual({ code: 1000, reason: 'assistant-ended-call' })
  })

  it('keeps no more of its token than the hash', async () => {
    const { back, id, token } = await join()
    const next = await tokenOf(back(token))
    const hash = createHash('sha256').update(next).digest('hex')
    const { rows } = await vi.waitFor(async () => {
      const stored = await db.query(
        'select calls::text as everything from voice_platform.calls where id = $1 and resume_token_hash = $2',
        [id, hash],
      )
      expect(stored.rows).toHaveLength(1)
      return stored
    })
    expect(String(rows[0]?.everything)).not.toContain(next)
  })

  it('cannot use a token twice, once its successor is in use', async () => {
    const { back, room, token } = await join()
    room.socket.terminate()
    const again = back(token)
    await tokenOf(again)
    again.socket.send('{"type":"say","message":"I am here."}')
    await came(again, 'speech-update')
    await expectRefusal(back(token), 'not-allowed')
    expect(again.socket.readyState).toBe(again.socket.OPEN)
  })

  it('may use a token again whose answer it never heard', async () => {
    const { back, room, token } = await join()
    room.socket.terminate()
    const unheard = back(token)
    await tokenOf(unheard)
    unheard.socket.terminate()
    const again = back(token, '&received=3')
    await tokenOf(again)
    // Nothing of the connection that it knows nothing of has reached it.
    await came(again, 'room.listening')
    const third = back(token)
    await tokenOf(third)
    expect((await again.closed).code).toBe(FATAL_ERRORS.ejected)
  })

  it('is let back once when it comes twice at the same time', async () => {
    const { back, room, token } = await join()
    room.socket.terminate()
    const twice = [back(token), back(token)]
    await Promise.all(twice.map(tokenOf))
    const closes = twice.map(({ closed }) => closed)
    expect((await Promise.race(closes)).code).toBe(FATAL_ERRORS.ejected)
    expect(twice.filter(({ socket }) => socket.readyState === socket.OPEN)).toHaveLength(1)
  })

  it('ends its call when it does not come back in time, with the reason of one who is gone', async () => {
    const { id, room, back, token } = await join()
    room.socket.terminate()
    await vi.waitFor(async () => {
      clock.advance(5_000)
      expect(await call(id)).toMatchObject({ status: 'ended', endedReason: 'customer-ended-call' })
    })
    const late = back(token)
    expect((await late.closed).code).toBe(1000)
    expect(late.texts).toEqual([{ type: 'room.ended', reason: 'customer-ended-call' }])
  })

  it('hears of the end that came meanwhile, and why', async () => {
    const { id, room, back, token } = await join()
    room.socket.send('{"type":"end-call"}')
    room.socket.terminate()
    await vi.waitFor(async () => {
      clock.advance(100)
      expect((await call(id)).status).toBe('ended')
    })
    const late = back(token)
    expect(await late.closed).toEqual({ code: 1000, reason: 'assistant-ended-call' })
    await expectRefusal(back('wrong'), 'end-of-life')
  })

  it('comes back while the database is away; where that has to be asked, it is told to try again', async () => {
    const { room, back, token } = await join()
    room.socket.terminate()
    outage.isDown = true
    const again = back(token)
    const next = await tokenOf(again)
    again.socket.send('{"type":"say","message":"I am here."}')
    await came(again, 'speech-update')
    await expectRefusal(back(token), 'connection-error')
    outage.isDown = false
    await tokenOf(back(next))
  })

  it('is told to try again by a process that does not run its session', async () => {
    const { id, room, back, token } = await join()
    room.socket.terminate()
    const elsewhere = new RoomDoor({
      seats: new SeatStore(db),
      publicUrl: bench.publicUrl,
      graceMs: GRACE_MS,
      clock,
      logger: pino({ level: 'silent' }),
      onJoined: () => expect.unreachable(),
    })
    const knock = async (resume: string) => {
      const pair = await socketPair(ROOM_PROTOCOL)
      const closed = new Promise((resolve) => pair.client.once('close', resolve))
      elsewhere.join(pair.server, id, new URLSearchParams({ resume }))
      const code = await closed
      await pair.close()
      return code
    }
    expect(await knock(token)).toBe(FATAL_ERRORS['connection-error'])
    expect(await knock('wrong')).toBe(FATAL_ERRORS['not-allowed'])
    await tokenOf(back(token))
  })
})

it('somebody with no token, or to no room, is not let in', async () => {
  const { back, room } = await join()
  await expectRefusal(back('wrong'), 'not-allowed')
  await expectRefusal(back(''), 'not-allowed')
  const nowhere = (id: string) =>
    bench.openRoom(`${bench.publicUrl}/-/rooms/${id}?resume=x`.replace('http', 'ws'))
  await expectRefusal(nowhere(crypto.randomUUID()), 'no-room')
  await expectRefusal(nowhere('nonsense'), 'no-room')
  expect(room.socket.readyState).toBe(room.socket.OPEN)
})
