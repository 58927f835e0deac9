import type { Db } from '@heyline/database'
import { systemClock } from '@heyline/kit/clock'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'
import { openWire, type TwilioWire } from '../testing/twilio-bench.js'

const NOW = { timeout: 5_000 }
const PHONE_RATE = 8_000

let db: Db
let wire: TwilioWire
let bench: PlatformBench
beforeAll(async () => {
  db = await openPlatformDb()
})
afterAll(() => db.close())
afterEach(async () => {
  await bench.close()
  await wire.close()
})

/** A phone call at Twilio that somebody has answered, and what its record says. */
async function answered(engines: ScriptedEngines, assistant: object) {
  wire = await openWire({ db, clock: systemClock, machineDetection: false })
  bench = await startPlatform(db, { carrier: wire.carrier, engines })
  const created = await bench.request('POST', '/call', { assistant, customer: { number: '+12025550123' } })
  const { id } = await created.json()
  await vi.waitFor(() => expect(wire.standIn.call.status).toBe('ringing'), NOW)
  await wire.standIn.call.answer()
  await vi.waitFor(async () => expect((await bench.client.calls.get(id)).status).toBe('in-progress'), NOW)
  return async () => (await bench.client.calls.get(id)).messages?.map(({ message }) => message)
}

/** How much of a tone is in these samples, by Goertzel's algorithm: 0 to 1 of their energy. */
function share(samples: Int16Array, hertz: number): number {
  let [cosine, sine, energy] = [0, 0, 0]
  for (const [n, sample] of samples.entries()) {
    cosine += sample * Math.cos((2 * Math.PI * hertz * n) / PHONE_RATE)
    sine += sample * Math.sin((2 * Math.PI * hertz * n) / PHONE_RATE)
    energy += sample * sample
  }
  return (2 * (cosine * cosine + sine * sine)) / (samples.length * energy)
}

describe('keys of a phone call', () => {
  it('that the caller presses become a line, and are answered', async () => {
    const engines = new ScriptedEngines()
    const said = await answered(engines, { keypadInputPlan: { enabled: true, delimiters: ['#'] } })
    for (const key of '12*#') wire.standIn.call.press(key)
    await vi.waitFor(() => expect(engines.asked).toHaveLength(1), NOW)
    expect(engines.asked[0]?.messages.at(-1)).toEqual({ role: 'user', content: "User's Keypad Entry: 12*" })
    await vi.waitFor(async () => expect(await said()).toContain("User's Keypad Entry: 12*"), NOW)
  })

  it('that the model presses are heard as tones at the other end', async () => {
    const engines = new ScriptedEngines({
      replies: [[]],
      uses: [[{ name: 'dtmf', arguments: { dtmf: '5' } }]],
    })
    const said = await answered(engines, {
      firstMessageMode: 'assistant-speaks-first-with-model-generated-message',
      model: { provider: 'openai', model: 'gpt-4o-mini', tools: [{ type: 'dtmf' }] },
    })
    await vi.waitFor(() => expect(wire.standIn.call.queuedMs).toBeGreaterThan(100), NOW)
    wire.standIn.call.pass(200)
    const tone = wire.standIn.call.heard.subarray(80, 720)
    expect(share(tone, 770)).toBeGreaterThan(0.4)
    expect(share(tone, 1336)).toBeGreaterThan(0.4)
    await vi.waitFor(async () => expect(await said()).toContain('The assistant pressed 5.'), NOW)
  })
})
