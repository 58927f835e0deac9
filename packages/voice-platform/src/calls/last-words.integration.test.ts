import { createServer, type Server } from 'node:http'
import type { Db } from '@heyline/database'
import { systemClock } from '@heyline/kit/clock'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Carrier } from '../carriers/carrier.js'
import { createSipCarrier } from '../carriers/sip/sip-carrier.js'
import type { Heard } from '../engines/engine.js'
import { listen, shut, textOf } from '../testing/local-server.js'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'
import { silence, vowel } from '../testing/session-bench.js'
import { SipPhone } from '../testing/sip-phone.js'
import { openWire } from '../testing/twilio-bench.js'

const CALLEE = '+12025550123'
const STOP = 'Please stop calling me!'
const NOW = { timeout: 5_000 }
/** Speech and a pause, which ends no turn while its words are not known, at the rate of phones. */
const SPEECH = Int16Array.of(...vowel(400), ...silence(200)).filter((_, n) => n % 2 === 0)

let db: Db
let server: Server
let url: string
/** What the call's server was told. */
let told: string[]
let ends: Array<() => unknown>
beforeAll(async () => {
  db = await openPlatformDb()
})
afterAll(() => db.close())
beforeEach(async () => {
  told = []
  ends = []
  server = createServer(async (request, response) => {
    const { message } = JSON.parse(await textOf(request))
    told.push(message.type === 'transcript' ? `${message.role}: ${message.transcript}` : message.type)
    response.end('{}')
  })
  url = await listen(server)
})
afterEach(async () => {
  for (const end of ends.reverse()) await end()
  await shut(server)
})

/** What somebody at the other end of a carrier does. */
interface Phone {
  carrier: Carrier
  answer(): Promise<unknown>
  speak(): void
  hangUp(): void
}

async function sipPhone(): Promise<Phone> {
  const phone = new SipPhone()
  await phone.listen()
  const carrier = createSipCarrier({
    to: `sip:{number}@127.0.0.1:${phone.port}`,
    bind: { host: '127.0.0.1', port: 0 },
    logger: pino({ level: 'silent' }),
  })
  ends.push(
    () => phone.close(),
    () => carrier.close(),
  )
  return {
    carrier,
    answer: async () => phone.pickUp(),
    speak: () => phone.speak(SPEECH),
    hangUp: () => void phone.send('BYE'),
  }
}

async function twilioPhone(): Promise<Phone> {
  const { carrier, standIn, close } = await openWire({ db, clock: systemClock, machineDetection: false })
  ends.push(close)
  return {
    carrier,
    answer: () => standIn.call.answer(),
    speak: () => standIn.call.pass(600, SPEECH),
    hangUp: () => standIn.call.hangUp(),
  }
}

/** Engines whose transcriber answers when it is told to. */
function slowEngines() {
  const engines = new ScriptedEngines()
  let know = (_words: string) => {}
  const known = new Promise<string>((resolve) => {
    know = resolve
  })
  const asked: Int16Array[] = []
  const transcriber = {
    ...engines.transcriber,
    async transcribe(speech: Int16Array): Promise<Heard> {
      asked.push(speech)
      return { text: await known, durationMs: speech.length / 16 }
    },
  }
  const atWork = { transcriber, model: engines.model, voice: engines.voice }
  return { engines: atWork, scripted: engines, know, asked }
}

/** A call that somebody answers, and says something in. Nobody knows yet what it was. */
async function spokenTo(phone: Phone) {
  const { engines, scripted, know, asked } = slowEngines()
  const bench: PlatformBench = await startPlatform(db, {
    ...{ carrier: phone.carrier, engines, server: { url, secret: 's' } },
  })
  ends.push(bench.close)
  const serverMessages = ['transcript[transcriptType="final"]', 'end-of-call-report']
  const created = await bench.request('POST', '/call', {
    assistant: { firstMessageMode: 'assistant-waits-for-user', serverMessages },
    customer: { number: CALLEE },
  })
  const { id } = await created.json()
  const call = () => bench.client.calls.get(id)
  await vi.waitFor(async () => expect((await call()).status).toBe('ringing'), NOW)
  await phone.answer()
  await vi.waitFor(async () => expect((await call()).status).toBe('in-progress'), NOW)
  phone.speak()
  await vi.waitFor(() => expect(asked).toHaveLength(1), NOW)
  return { bench, call, scripted, know, asked }
}

it.each([
  ['SIP', sipPhone],
  ['Twilio', twilioPhone],
])('what somebody says by %s who then hangs up is heard, and told before the report', async (_, open) => {
  const phone = await open()
  const { bench, call, scripted, know, asked } = await spokenTo(phone)
  phone.hangUp()
  // Its place does not wait for the words.
  await vi.waitFor(() => expect(bench.platform.house().held).toBe(0), NOW)
  const over = Date.now()
  know(STOP)
  await vi.waitFor(() => expect(told).toEqual([`user: ${STOP}`, 'end-of-call-report']), NOW)
  const { endedReason, endedAt, messages } = await call()
  expect(endedReason).toBe('customer-ended-call')
  expect(messages?.map(({ message }) => message)).toContain(STOP)
  expect(Date.parse(String(endedAt))).toBeLessThanOrEqual(over)
  expect([asked.length, scripted.asked.length]).toEqual([1, 0])
})

it('a process that stops does not wait for them', async () => {
  const phone = await twilioPhone()
  const { bench, call } = await spokenTo(phone)
  phone.hangUp()
  await vi.waitFor(() => expect(bench.platform.house().held).toBe(0), NOW)
  expect((await call()).status).toBe('in-progress')
  await bench.platform.close()
  expect(await call()).toMatchObject({ status: 'ended', endedReason: 'customer-ended-call' })
})
