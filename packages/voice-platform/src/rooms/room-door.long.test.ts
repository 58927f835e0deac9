import type { Db } from '@heyline/database'
import { ManualClock } from '@heyline/kit/manual-clock'
import { FATAL_ERRORS, type FatalErrorKind } from '@heyline/room-protocol'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type PlatformBench, startPlatform, type TestSocket } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'

let db: Db
let bench: PlatformBench
beforeAll(async () => {
  db = await openPlatformDb()
})
afterAll(() => db.close())
beforeEach(async () => {
  bench = await startPlatform(db)
})
afterEach(() => bench.close())

const makeCall = async () => {
  const call = await bench.client.calls.createWeb({ assistant: { firstMessage: 'Hello there.' } })
  return { id: call.id, url: call.webCallUrl ?? '' }
}
/** The same platform, on a clock that only the test moves. */
const stopTime = async () => {
  await bench.close()
  const clock = new ManualClock()
  bench = await startPlatform(db, { clock })
  return clock
}
const came = (room: TestSocket, type: string) =>
  vi.waitFor(() => {
    const message = room.texts.find((text) => text.type === type)
    if (!message) throw new Error(`${type} has not come yet`)
    return message
  }, 10_000)
const expectRefusal = async (url: string, kind: FatalErrorKind) => {
  const room = bench.openRoom(url)
  expect((await room.closed).code).toBe(FATAL_ERRORS[kind])
  expect(room.texts).toEqual([{ type: 'room.error', kind, message: expect.any(String) }])
}

it('tells the log of twenty refused clients at once, however many knock', async () => {
  await bench.close()
  const lines: string[] = []
  const logger = pino({ base: undefined }, { write: (line: string) => lines.push(line) })
  bench = await startPlatform(db, { logger, clock: new ManualClock() })
  const { url } = await makeCall()
  const nobodys = url.replace(/secret=.*$/, 'secret=x')
  await Promise.all(Array.from({ length: 60 }, () => bench.openRoom(nobodys).closed))
  expect(lines.filter((line) => line.includes('room refused'))).toHaveLength(20)
})

it('lets networks in by turns: a crowd at made-up rooms keeps nobody else waiting', async () => {
  const { url } = await makeCall()
  let refused = 0
  const crowd = Array.from({ length: 80 }, async () => {
    const madeUp = url.replace(/rooms\/.*$/, `rooms/${crypto.randomUUID()}?secret=x&network=there`)
    await bench.openRoom(madeUp).closed
    refused += 1
  })
  const room = bench.openRoom(`${url}&network=elsewhere`)
  await came(room, 'room.joined')
  expect(refused).toBeLessThan(60)
  await Promise.all(crowd)
})

describe('a room', () => {
  it('lets in who brings its secret, and tells so first', async () => {
    const { id, url } = await makeCall()
    expect(url).toMatch(/^ws:\/\/127\.0\.0\.1:\d+\/-\/rooms\/[0-9a-f-]{36}\?secret=[\w-]{43}$/)
    const room = bench.openRoom(url)
    const joined = await came(room, 'room.joined')
    expect(room.texts[0]).toBe(joined)
    expect(joined).toMatchObject({ callId: id, participantId: expect.any(String) })
    expect(joined.resumeToken).not.toBe(new URL(url).searchParams.get('secret'))
    await came(room, 'room.listening')
  })

  it('keeps neither secret nor resume token', async () => {
    const { id, url } = await makeCall()
    const room = bench.openRoom(url)
    const { resumeToken } = await came(room, 'room.joined')
    const { rows } = await db.query(
      'select calls::text as everything from voice_platform.calls where id = $1',
      [id],
    )
    const everything = String(rows[0]?.everything)
    expect(everything).toContain('Hello there.')
    expect(everything).not.toContain(new URL(url).searchParams.get('secret'))
    expect(everything).not.toContain(resumeToken)
  })

  it('is not there: no-room', async () => {
    const { url } = await makeCall()
    await expectRefusal(url.replace(/rooms\/[0-9a-f-]+/, `rooms/${crypto.randomUUID()}`), 'no-room')
    await expectRefusal(url.replace(/rooms\/[0-9a-f-]+/, 'rooms/nonsense'), 'no-room')
  })

  it('is asked with a wrong secret, or none: not-allowed', async () => {
    const { url } = await makeCall()
    await expectRefusal(url.replace(/secret=.*/, 'secret=wrong'), 'not-allowed')
    await expectRefusal(url.replace(/\?.*/, ''), 'not-allowed')
    const room = bench.openRoom(url)
    await came(room, 'room.joined')
    await expectRefusal(url.replace(/secret=.*/, 'secret=wrong'), 'not-allowed')
  })

  it('has somebody in it: meeting-full', async () => {
    const { url } = await makeCall()
    const room = bench.openRoom(url)
    await came(room, 'room.joined')
    await expectRefusal(url, 'meeting-full')
  })

  it('gives its seat to one of many who come at once', async () => {
    const { url } = await makeCall()
    const rooms = Array.from({ length: 8 }, () => bench.openRoom(url))
    await vi.waitFor(() => expect(rooms.filter(({ texts }) => texts.length > 0)).toHaveLength(8))
    const first = rooms.map(({ texts }) => texts[0]?.type)
    expect(first.filter((type) => type === 'room.joined')).toHaveLength(1)
    expect(first.filter((type) => type === 'room.error')).toHaveLength(7)
  })

  it('was not joined in time: exp-room, and the call has ended', async () => {
    const clock = await stopTime()
    const { id, url } = await makeCall()
    await db.exec("update voice_platform.calls set room_expires_at = room_expires_at - interval '15 seconds'")
    clock.advance(15_000)
    await vi.waitFor(async () => expect(await bench.client.calls.get(id)).toMatchObject({ status: 'ended' }))
    expect((await bench.client.calls.get(id)).endedReason).toBe('assistant-did-not-receive-customer-audio')
    await expectRefusal(url, 'exp-room')
  })

  it('waits as long as the assistant says', async () => {
    const clock = await stopTime()
    const call = await bench.client.calls.createWeb({ assistant: { customerJoinTimeoutSeconds: 60 } })
    clock.advance(59_999)
    const room = bench.openRoom(call.webCallUrl ?? '')
    await came(room, 'room.joined')
    clock.advance(1)
    expect((await bench.client.calls.get(call.id)).status).toBe('in-progress')
  })

  it('belongs to a call that has ended: end-of-life', async () => {
    const { url } = await makeCall()
    const room = bench.openRoom(url)
    await came(room, 'room.listening')
    room.socket.send('{"type":"end-call"}')
    expect(await room.closed).toEqual({ code: 1000, reason: 'assistant-ended-call' })
    await vi.waitFor(() => expectRefusal(url, 'end-of-life'))
  })

  it('closes a plain client that may not come in with the same code, and no words in between', async () => {
    const { url } = await makeCall()
    const client = bench.openRoom(url.replace(/secret=.*/, 'secret=wrong'), [])
    expect(await client.closed).toEqual({
      code: FATAL_ERRORS['not-allowed'],
      reason: 'This address does not open the room.',
    })
    expect(client.texts).toEqual([])
  })

  it('lets a plain client in, and speaks to it in real time', async () => {
    const clock = await stopTime()
    const { id, url } = await makeCall()
    const client = bench.openRoom(url, [])
    await vi.waitFor(async () => expect((await bench.client.calls.get(id)).status).toBe('in-progress'))
    await vi.waitFor(() => expect(clock.pending).toBeGreaterThan(2))
    clock.advance(20)
    await vi.waitFor(() => expect(client.audioBytes()).toBeGreaterThanOrEqual(640))
    expect(client.audioBytes()).toBeLessThanOrEqual(1_280)
    client.socket.send('{"type":"hangup"}')
    expect((await client.closed).code).toBe(1000)
    await vi.waitFor(async () =>
      expect(await bench.client.calls.get(id)).toMatchObject({
        status: 'ended',
        endedReason: 'customer-ended-call',
      }),
    )
  })

  it('survives clients that say nothing, nonsense, or go before they are let in', async () => {
    const { url } = await makeCall()
    const early = bench.openRoom(url)
    early.socket.once('open', () => early.socket.terminate())
    await early.closed
    const other = await makeCall()
    const rude = bench.openRoom(other.url)
    rude.socket.once('open', () => rude.socket.send('nonsense'))
    expect((await rude.closed).code).toBe(1007)
    await vi.waitFor(async () =>
      expect(await bench.client.calls.get(other.id)).toMatchObject({ endedReason: 'customer-ended-call' }),
    )
  })
})
