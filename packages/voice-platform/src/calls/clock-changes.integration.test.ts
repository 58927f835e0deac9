import type { Db } from '@heyline/database'
import { type Clock, systemClock } from '@heyline/kit/clock'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'

const HOUR_MS = 3_600_000
/** 100 samples a character: eight seconds of speech. */
const LONG = 'word '.repeat(256)
const NOW = { timeout: 5_000, interval: 10 }

/** The machine's clock is set by so many milliseconds. */
function setClock(): Clock & { ahead: number } {
  const clock = { ...systemClock, ahead: 0, now: () => Date.now() + clock.ahead }
  return clock
}

let db: Db
const benches: PlatformBench[] = []
beforeAll(async () => {
  db = await openPlatformDb()
})
afterAll(() => db.close())
afterEach(async () => {
  for (const bench of benches.splice(0)) await bench.close()
})
const start = async (clock: Clock) => {
  const bench = await startPlatform(db, { clock, engines: new ScriptedEngines() })
  benches.push(bench)
  return bench
}

describe.each([HOUR_MS, -HOUR_MS])('a machine whose clock is set by %i ms', (step) => {
  it('sends the sound of a running call over a plain socket on, and knows how long it lasted', async () => {
    const clock = setClock()
    const bench = await start(clock)
    const transport = {
      provider: 'vapi.websocket',
      audioFormat: { format: 'pcm_s16le', container: 'raw', sampleRate: 16_000 },
    }
    const body = { assistant: { firstMessage: LONG, silenceTimeoutSeconds: 10 }, transport }
    const call = await (await bench.request('POST', '/call', body)).json()
    const room = bench.openRoom(call.transport.websocketCallUrl, [])
    await vi.waitFor(() => expect(room.audioBytes()).toBeGreaterThan(0), NOW)
    clock.ahead = step
    // A second more of sound, in real time.
    const heard = room.audioBytes()
    await vi.waitFor(() => expect(room.audioBytes()).toBeGreaterThan(heard + 32_000), NOW)
    expect((await bench.client.calls.get(call.id)).status).toBe('in-progress')
    room.socket.send('{"type":"hangup"}')
    await room.closed
    const ended = await vi.waitFor(async () => {
      const shown = await bench.client.calls.get(call.id)
      expect(shown.status).toBe('ended')
      return shown
    }, NOW)
    const lastedMs = Date.parse(ended.endedAt ?? '') - Date.parse(ended.startedAt ?? '')
    expect(lastedMs).toBeGreaterThan(0)
    expect(lastedMs).toBeLessThan(60_000)
  })
})

describe.each([20_000, -20_000])('two processes whose clocks are %i ms apart', (skew) => {
  it('let callers into the rooms that the other one has made', async () => {
    const other = setClock()
    other.ahead = skew
    const [making, joined] = [await start(systemClock), await start(other)]
    const { webCallUrl = '' } = await making.client.calls.createWeb({ assistant: { firstMessage: 'Hello.' } })
    const room = joined.openRoom(webCallUrl.replace(/:\d+/, `:${new URL(joined.publicUrl).port}`))
    await vi.waitFor(() => expect(room.texts[0]).toMatchObject({ type: 'room.joined' }), NOW)
  })
})
