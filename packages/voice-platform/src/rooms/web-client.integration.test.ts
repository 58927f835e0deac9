import type { Db } from '@heyline/database'
import { createSocketRoom, type SocketRoomOptions } from '@heyline/web-call/socket'
import { ScriptedAudioDevice } from '@heyline/web-call/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'

const GREETING = 'Hello, we are open from nine to five on every day but Sunday. How may I help you?'

let db: Db
let bench: PlatformBench
let lines: WebSocket[]
let rooms: ReturnType<typeof createSocketRoom>[]

/** A browser's socket whose line a test can cut. */
class Line extends WebSocket {
  constructor(url: string, protocols?: string | string[]) {
    super(url, protocols)
    lines.push(this)
  }
}

beforeAll(async () => {
  vi.stubGlobal('WebSocket', Line)
  db = await openPlatformDb()
})
afterAll(async () => {
  await db.close()
  vi.unstubAllGlobals()
})
beforeEach(async () => {
  lines = []
  rooms = []
  const engines = new ScriptedEngines()
  // Speech that tells where it stands: its samples count.
  engines.voice.speak = async function* (text) {
    yield Int16Array.from({ length: text.length * 100 }, (_, at) => at)
  }
  bench = await startPlatform(db, { engines })
})
afterEach(async () => {
  await Promise.all(rooms.map((room) => room.destroy()))
  await bench.close()
})

const createCall = async () => {
  const { id, webCallUrl } = await bench.client.calls.createWeb({ assistant: { firstMessage: GREETING } })
  return { id, url: webCallUrl ?? '' }
}

/** The room of `@heyline/web-call` at an address, joined. */
async function enter(url: string, options: SocketRoomOptions = {}) {
  const device = new ScriptedAudioDevice()
  const room = createSocketRoom(url, { device, ...options })
  rooms.push(room)
  const heard: unknown[] = []
  const told: string[] = []
  room.on('app-message', ({ data }) => heard.push(data))
  room.on('network-connection', ({ event }) => told.push(event))
  room.on('error', ({ error }) => told.push(`${error?.type}`))
  room.on('left-meeting', ({ endedReason = 'left' }) => told.push(endedReason))
  const joined = room.join({ url, subscribeToTracksAutomatically: false })
  return { device, room, heard, told, joined }
}
const cutAtFirstAudio = (line: WebSocket | undefined) =>
  new Promise<void>((resolve) =>
    line?.on('message', (_, isBinary) => {
      if (!isBinary) return
      line.terminate()
      resolve()
    }),
  )
/** The speech that came up to the first mark. */
async function speechOf(device: ScriptedAudioDevice) {
  await vi.waitFor(() => expect(device.queue.some((queued) => 'mark' in queued)).toBe(true))
  const samples: number[] = []
  for (const queued of device.queue) if ('samples' in queued) samples.push(...queued.samples)
  return samples
}
const isOver = (id: string, endedReason: string) =>
  vi.waitFor(async () =>
    expect(await bench.client.calls.get(id)).toMatchObject({ status: 'ended', endedReason }),
  )

describe('the socket room of a browser in a room of this platform', () => {
  it('hears every word once, though its line is cut in the middle of it', async () => {
    const quiet = await enter((await createCall()).url)
    await quiet.joined
    const whole = await speechOf(quiet.device)
    const { id, url } = await createCall()
    const cut = await enter(url)
    await vi.waitFor(() => expect(lines).toHaveLength(2))
    const done = cutAtFirstAudio(lines[1])
    await cut.joined
    await done
    await vi.waitFor(() => expect(cut.told).toEqual(['interrupted', 'connected']))
    expect(await speechOf(cut.device)).toEqual(whole)
    expect(cut.heard.filter((data) => data === 'listening')).toHaveLength(1)
    cut.device.playAll()
    cut.room.sendAppMessage('{"type":"say","message":"And now?","endCallAfterSpoken":true}')
    await vi.waitFor(() => {
      cut.device.playAll()
      expect(cut.told).toContain('assistant-ended-call-after-message-spoken')
    })
    await isOver(id, 'assistant-ended-call-after-message-spoken')
    expect((await bench.client.calls.get(id)).messages).toMatchObject([
      { role: 'bot', message: GREETING },
      { role: 'bot', message: 'And now?' },
    ])
  })

  it('is joined again from another page, which puts the first one out', async () => {
    const { id, url } = await createCall()
    const first = await enter(url)
    await first.joined
    await speechOf(first.device)
    const second = await enter(first.room.meetingAddress?.() ?? '')
    await second.joined
    await vi.waitFor(() => expect(second.heard).toContain('listening'))
    await vi.waitFor(() => expect(first.told).toEqual(['ejected', 'left']))
    await second.room.leave()
    await isOver(id, 'customer-ended-call')
  })

  it('hears why its call has ended while it was away', async () => {
    const { url } = await createCall()
    const { joined, told } = await enter(url)
    await joined
    const line = lines[0]
    line?.send('{"type":"end-call"}')
    await vi.waitFor(() => expect(line?.bufferedAmount).toBe(0))
    line?.terminate()
    await vi.waitFor(() => expect(told.at(-1)).toBe('assistant-ended-call'), { timeout: 5_000 })
    expect(told).not.toContain('connection-error')
  })

  it('holds a call over the plain transport', async () => {
    const { id, url } = await createCall()
    const { device, heard, joined, room, told } = await enter(url, { transport: 'vapi.websocket' })
    await joined
    await vi.waitFor(() => expect(device.playAll().length).toBeGreaterThan(0))
    expect(heard[0]).toBe('listening')
    device.speak(new Int16Array(320))
    await room.leave()
    expect(told).toEqual(['left'])
    await isOver(id, 'customer-ended-call')
  })
})
