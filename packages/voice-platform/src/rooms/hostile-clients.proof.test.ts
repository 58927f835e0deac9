import type { Duplex } from 'node:stream'
import type { Db } from '@heyline/database'
import { ManualClock } from '@heyline/kit/manual-clock'
import { FATAL_ERRORS, ROOM_PROTOCOL } from '@heyline/room-protocol'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { Outage } from '../testing/outage.js'
import { type PlatformBench, startPlatform, type TestSocket } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'

let db: Db
let bench: PlatformBench
let clock: ManualClock
let outage: Outage
let other: TestSocket
beforeAll(async () => {
  db = await openPlatformDb()
})
afterAll(() => db.close())
beforeEach(async () => {
  clock = new ManualClock()
  outage = new Outage(db)
  bench = await startPlatform(outage.db, { clock })
  other = bench.openRoom(await newRoom())
  await vi.waitFor(() => expect(typesOf(other)).toContain('room.mark'))
})
afterEach(() => bench.close())

/** Calls that come and go together. */
const AT_ONCE = 8

const newRoom = async () => {
  const assistant = { firstMessage: 'Hello there.', silenceTimeoutSeconds: 3_600, maxDurationSeconds: 43_200 }
  const { webCallUrl = '' } = await bench.client.calls.createWeb({ assistant })
  return webCallUrl
}
const typesOf = ({ texts }: TestSocket) => texts.map(({ type }) => type)
const expectOtherGoesOn = async () => {
  const before = other.audioBytes()
  other.socket.send('{"type":"say","message":"I am still here."}')
  await vi.waitFor(() => expect(other.audioBytes()).toBeGreaterThan(before))
}

/** Second by second, with time for pongs; `each` is what the hostile client does in every one of them. */
const pass = async (seconds: number, each = () => {}) => {
  for (let second = 0; second < seconds; second += 1) {
    each()
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    clock.advance(1_000)
  }
}

/** A client in a room of its own, that answers no pings. */
const enter = async (protocols: string[]) => {
  const socket = new WebSocket(await newRoom(), protocols, { autoPong: false })
  socket.on('error', () => undefined)
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  const stream = new Promise<Duplex>((resolve) => socket.once('upgrade', ({ socket }) => resolve(socket)))
  await new Promise((resolve) => socket.once('message', resolve))
  return { socket, closed, stream: await stream }
}

describe.each([
  ['room.v1', [ROOM_PROTOCOL]],
  ['the plain transport', []],
])('a client of %s', (_name, protocols) => {
  it('that sends, and never reads, is closed after a minute, and may read why later', async () => {
    const { socket, closed } = await enter(protocols)
    socket.pause()
    await pass(75, () => socket.readyState === WebSocket.OPEN && socket.send(Buffer.alloc(640)))
    socket.resume()
    expect(await closed).toEqual({ code: 1008, reason: 'answers no pings' })
    await expectOtherGoesOn()
  })

  it('that drips a frame is closed after half a minute', async () => {
    const { stream, closed } = await enter(protocols)
    stream.write(Buffer.of(0x82, 0x80 | 126, 0xf0, 0x00, 0, 0, 0, 0))
    await pass(31, () => stream.writable && stream.write(Buffer.of(7)))
    expect(await closed).toEqual({ code: 1001, reason: 'no sign of life' })
    await expectOtherGoesOn()
  })

  it('that joins, and says nothing and answers nothing, is closed after half a minute', async () => {
    const { closed } = await enter(protocols)
    await pass(31)
    expect(await closed).toEqual({ code: 1001, reason: 'no sign of life' })
    await expectOtherGoesOn()
  })
})

it('a client at the door is told to try again while the database answers nothing', async () => {
  const url = await newRoom()
  let goOn = () => {}
  outage.pause = new Promise((resolve) => {
    goOn = resolve
  })
  const waiting = bench.openRoom(url)
  await new Promise((resolve) => waiting.socket.once('open', resolve))
  await pass(11)
  expect((await waiting.closed).code).toBe(FATAL_ERRORS['connection-error'])
  expect(waiting.texts).toEqual([
    { type: 'room.error', kind: 'connection-error', message: expect.any(String) },
  ])
  goOn()
  await expectOtherGoesOn()
})

it('calls that come and go leave no alarm, socket or timer behind', async () => {
  /** The platform's own go off and are set again meanwhile: a few more or less say nothing. */
  const held = () => [clock.pending, process.getActiveResourcesInfo().length]
  const comeAndGo = async () => {
    const rooms = await Promise.all(
      Array.from({ length: AT_ONCE }, async () => bench.openRoom(await newRoom())),
    )
    for (const room of rooms)
      await vi.waitFor(() => expect(typesOf(room)).toContain('room.mark'), { timeout: 10_000 })
    for (const [index, { socket }] of rooms.entries())
      if (index % 2 === 0) socket.send('{"type":"end-call"}')
      else socket.close()
    await pass(2)
    await Promise.all(rooms.map(({ closed }) => closed))
  }
  await comeAndGo()
  const most = held().map((count) => count + AT_ONCE - 1)
  for (let round = 0; round < 3; round += 1) await comeAndGo()
  const isLess = () => held().every((count, index) => count <= (most[index] ?? 0))
  for (let turn = 0; turn < 5_000 && !isLess(); turn += 1)
    await new Promise((resolve) => setImmediate(resolve))
  const [alarms, resources] = held()
  expect(alarms).toBeLessThanOrEqual(most[0] ?? 0)
  expect(resources).toBeLessThanOrEqual(most[1] ?? 0)
})
