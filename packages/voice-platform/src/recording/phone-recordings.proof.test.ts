import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '@heyline/database'
import { systemClock } from '@heyline/kit/clock'
import { SAMPLE_RATE } from '@heyline/room-protocol'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Carrier } from '../carriers/carrier.js'
import { createSipCarrier } from '../carriers/sip/sip-carrier.js'
import type { Engines } from '../engines/engine.js'
import { startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'
import { amplitudeAt, sine } from '../testing/signals.js'
import { SipPhone } from '../testing/sip-phone.js'
import { openWire } from '../testing/twilio-bench.js'
import { WAV_HEADER_BYTES, wavHeader } from './wav-file.js'

const CALLEE = '+12025550123'
const PATIENCE = { timeout: 30_000, interval: 20 }
const ANNOUNCEMENT = 'We record this.'
const GREETING = 'Hello there.'
/** Each thing that is said is a tone of its own, so that the file tells who said what. In hertz. */
const ANNOUNCED = 300
const GREETED = 500
const ANSWERED = 1_000
const GOODBYE = 1_500
const SAID_MS = 600
const GOODBYE_MS = 200
/** Of the telephone's sound. */
const PHONE_RATE = 8_000
const FRAME = 160

let db: Db
const directory = mkdtempSync(join(tmpdir(), 'heyline-phone-recordings-'))
beforeAll(async () => {
  db = await openPlatformDb()
})
afterAll(async () => {
  await db.close()
  rmSync(directory, { recursive: true })
})

/** A telephone that talks 20 ms at a time, as fast as time passes. */
interface Line {
  carrier: Carrier
  /** What is still to be said, frame by frame. */
  saying: Int16Array[]
  /** Begins to talk, once the call was answered. */
  talk(): void
  hangUp(): void
  close(): Promise<void>
}

const tone = (hertz: number, ms: number): Int16Array[] => {
  const sound = sine(hertz, PHONE_RATE, ms, 8_000)
  return Array.from({ length: sound.length / FRAME }, (_, n) => sound.slice(n * FRAME, (n + 1) * FRAME))
}
const nothing = new Int16Array(FRAME)

async function sipLine(): Promise<Line> {
  const phone = new SipPhone()
  await phone.listen()
  phone.callees.set(CALLEE, 'answers')
  const saying: Int16Array[] = []
  const carrier = createSipCarrier({
    ...{ to: `sip:{number}@127.0.0.1:${phone.port}`, bind: { host: '127.0.0.1', port: 0 } },
    logger: pino({ level: 'silent' }),
  })
  return {
    ...{ carrier, saying },
    // One packet for each that comes: both sides send them every 20 ms.
    talk() {
      phone.onPacket = () => phone.speak(saying.shift() ?? nothing)
    },
    hangUp: () => void phone.send('BYE'),
    async close() {
      await carrier.close()
      phone.close()
    },
  }
}

async function twilioLine(): Promise<Line> {
  const wire = await openWire({ db, clock: systemClock })
  wire.standIn.callees.set(CALLEE, 'answers')
  const saying: Int16Array[] = []
  let timer: NodeJS.Timeout | undefined
  const stop = () => clearInterval(timer)
  return {
    ...{ carrier: wire.carrier, saying },
    talk() {
      timer = setInterval(() => wire.standIn.call.pass(20, saying.shift() ?? nothing), 20)
    },
    hangUp() {
      stop()
      wire.standIn.call.hangUp()
    },
    async close() {
      stop()
      await wire.close()
    },
  }
}

/** The assistant's words as tones. */
function toneEngines(): Engines {
  const scripted = new ScriptedEngines()
  return {
    ...{ transcriber: scripted.transcriber, model: scripted.model },
    voice: {
      name: 'tones',
      async *speak(text) {
        yield sine(text === ANNOUNCEMENT ? ANNOUNCED : GREETED, SAMPLE_RATE, SAID_MS, 8_000)
      },
    },
  }
}

/** Where a tone is heard, in windows of 20 ms from the beginning. */
function heardAt(samples: Int16Array, hertz: number): number[] {
  const window = SAMPLE_RATE / 50
  return Array.from({ length: Math.floor(samples.length / window) }, (_, n) => n).filter(
    (n) => amplitudeAt(hertz, SAMPLE_RATE, samples.subarray(n * window, (n + 1) * window)) > 1_500,
  )
}
const msOf = (windows: readonly number[]) => windows.length * 20

it.each([
  ['SIP', sipLine],
  ['Twilio', twilioLine],
])(
  'a call by %s is recorded with both sides, the announcement first, and its end',
  async (name, open) => {
    const line = await open()
    const recording = {
      ...{ folder: join(directory, name), everyCall: true, announcement: ANNOUNCEMENT, days: 30 },
      ...{ format: 'wav' as const, key: new Uint8Array(32).fill(1) },
    }
    const bench = await startPlatform(db, { carrier: line.carrier, engines: toneEngines(), recording })
    try {
      const made = await bench.request('POST', '/call', {
        assistant: { firstMessage: GREETING },
        customer: { number: CALLEE },
      })
      const { id } = await made.json()
      const call = () => bench.client.calls.get(id)
      await vi.waitFor(async () => expect((await call()).status).toBe('in-progress'), PATIENCE)
      line.talk()
      const lines = async () => (await call()).messages?.map(({ message }) => message) ?? []
      await vi.waitFor(async () => expect(await lines()).toContain(GREETING), PATIENCE)
      line.saying.push(...tone(ANSWERED, SAID_MS), ...tone(GOODBYE, GOODBYE_MS))
      await vi.waitFor(() => expect(line.saying).toEqual([]), PATIENCE)
      line.hangUp()
      await vi.waitFor(
        async () =>
          expect(await call()).toMatchObject({ status: 'ended', endedReason: 'customer-ended-call' }),
        PATIENCE,
      )
      const url = await vi.waitFor(async () => {
        const { artifact } = await call()
        expect(artifact?.stereoRecordingUrl).toBeDefined()
        return artifact?.stereoRecordingUrl ?? ''
      }, PATIENCE)

      const bytes = Buffer.from(await (await bench.platform.recording(new Request(url))).arrayBuffer())
      const sound = bytes.length - WAV_HEADER_BYTES
      // The header is written last: it says how long all of it is.
      expect(bytes.subarray(0, WAV_HEADER_BYTES)).toEqual(Buffer.from(wavHeader(2, sound)))
      const channel = (which: 0 | 1) =>
        Int16Array.from({ length: sound / 4 }, (_, n) =>
          bytes.readInt16LE(WAV_HEADER_BYTES + n * 4 + which * 2),
        )
      const [caller, assistant] = [channel(0), channel(1)]

      const [announced, greeted] = [heardAt(assistant, ANNOUNCED), heardAt(assistant, GREETED)]
      expect(msOf(announced)).toBeGreaterThan(SAID_MS - 80)
      expect(msOf(greeted)).toBeGreaterThan(SAID_MS - 80)
      expect(Math.max(...announced)).toBeLessThanOrEqual(Math.min(...greeted))
      const [answered, goodbye] = [heardAt(caller, ANSWERED), heardAt(caller, GOODBYE)]
      expect(msOf(answered)).toBeGreaterThan(SAID_MS - 80)
      expect(msOf(goodbye)).toBeGreaterThan(GOODBYE_MS - 80)
      expect(Math.min(...answered)).toBeGreaterThan(Math.max(...greeted) - 5)
      // Each side stands in its own channel.
      for (const hertz of [ANNOUNCED, GREETED]) expect(heardAt(caller, hertz)).toEqual([])
      for (const hertz of [ANSWERED, GOODBYE]) expect(heardAt(assistant, hertz)).toEqual([])
    } finally {
      await bench.close()
      await line.close()
    }
  },
  120_000,
)
