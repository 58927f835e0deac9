import type { Db } from '@heyline/database'
import { systemClock } from '@heyline/kit/clock'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { CarrierRefusal } from '../carriers/carrier.js'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'
import { openWire, type TwilioWire } from '../testing/twilio-bench.js'
import type { TransferGate } from './transfers.js'

const SALES = '+12025550142'
const NOW = { timeout: 5_000 }

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

/** A phone call at Twilio that somebody has answered. Its model transfers it in its first reply, if `uses` says so. */
async function answered(gate: TransferGate | undefined, uses: string[] = [], more: object = {}) {
  wire = await openWire({ db, clock: systemClock, machineDetection: false })
  const engines = new ScriptedEngines({
    uses: [uses.map((destination) => ({ name: 'transferCall', arguments: { destination } }))],
  })
  bench = await startPlatform(db, { carrier: wire.carrier, engines, ...(gate && { transferGate: gate }) })
  const destinations = [{ type: 'number', number: SALES, ...more }]
  const created = await bench.request('POST', '/call', {
    assistant: {
      maxDurationSeconds: 300,
      firstMessageMode: 'assistant-speaks-first-with-model-generated-message',
      model: { provider: 'openai', model: 'gpt-4o-mini', tools: [{ type: 'transferCall', destinations }] },
    },
    customer: { number: '+12025550123' },
  })
  const { id } = await created.json()
  await vi.waitFor(() => expect(wire.standIn.call.status).toBe('ringing'), NOW)
  await wire.standIn.call.answer()
  /** The caller hears what is said, so that the next thing can be said. */
  const hearing = setInterval(() => wire.standIn.call.closeCode ?? wire.standIn.call.pass(200), 20)
  const call = () => bench.client.calls.get(id)
  await vi.waitFor(async () => expect((await call()).status).toBe('in-progress'), NOW)
  return { id, call, engines, stopHearing: () => clearInterval(hearing) }
}
const dialled = () => wire.standIn.call.dial?.number

describe('a phone call', () => {
  it('is transferred by its model, for the time that is left, and ends with the transferred call', async () => {
    const gate = vi.fn<TransferGate>(async () => undefined)
    const { id, call, engines, stopHearing } = await answered(gate, [SALES])
    await vi.waitFor(() => expect(dialled()).toBe(SALES), NOW)
    stopHearing()
    const [asked] = gate.mock.calls[0] ?? []
    expect(asked).toMatchObject({ callId: id, number: SALES, inbound: false })
    expect(asked?.seconds).toBeGreaterThan(280)
    expect(asked?.seconds).toBeLessThanOrEqual(300)
    expect(wire.standIn.call.dial?.attribute('timeLimit')).toBe(String(asked?.seconds))
    expect(engines.spoken).toEqual(['Very well.', 'Transferring the call now.'])
    expect((await call()).status).toBe('in-progress')
    await wire.standIn.call.become('completed')
    await vi.waitFor(
      async () =>
        expect(await call()).toMatchObject({ status: 'ended', endedReason: 'assistant-forwarded-call' }),
      NOW,
    )
    expect((await call()).messages?.map(({ message }) => message)).toContain(
      `The call was transferred to ${SALES}.`,
    )
  })

  it.each<[string, () => Promise<unknown>, number]>([
    ['is given back where nobody answers', () => wire.standIn.call.dialOver('busy'), 1],
    ['stays spent where somebody has answered', () => wire.standIn.call.become('completed'), 0],
  ])('has its money reserved, which %s', async (_, over, times) => {
    const giveBack = vi.fn(async () => {})
    const { call, engines, stopHearing } = await answered(async () => giveBack, [SALES])
    await vi.waitFor(() => expect(dialled()).toBe(SALES), NOW)
    await over()
    if (times > 0) await vi.waitFor(() => expect(engines.spoken.at(-1)).toContain('help you?'), NOW)
    else await vi.waitFor(async () => expect((await call()).status).toBe('ended'), NOW)
    stopHearing()
    expect(giveBack).toHaveBeenCalledTimes(times)
  })

  it.each<[string, Error, number]>([
    ['given back where the carrier surely has not dialled', new CarrierRefusal('sip-486', 'Busy.'), 1],
    ['not given back where nobody knows', new Error('No answer from the carrier.'), 0],
  ])('has its money %s', async (_, error, times) => {
    const giveBack = vi.fn(async () => {})
    const gate = async () => {
      vi.spyOn(wire.carrier, 'transfer').mockRejectedValue(error)
      return giveBack
    }
    const { engines, stopHearing } = await answered(gate, [SALES])
    const words = 'I am sorry, I cannot transfer this call.'
    await vi.waitFor(() => expect(engines.spoken).toContain(words), NOW)
    stopHearing()
    expect(giveBack).toHaveBeenCalledTimes(times)
  })

  it('is back with its assistant where nobody answers, in one call and one record', async () => {
    const { call, engines, stopHearing } = await answered(async () => undefined, [SALES])
    await vi.waitFor(() => expect(dialled()).toBe(SALES), NOW)
    expect(await wire.standIn.call.dialOver('no-answer')).toBe('streaming')
    await vi.waitFor(() => expect(engines.spoken.at(-1)).toBe('How else can I help you?'), NOW)
    await vi.waitFor(
      async () =>
        expect(JSON.stringify((await call()).messages)).toContain('I am sorry, nobody answered there.'),
      NOW,
    )
    stopHearing()
    expect((await call()).status).toBe('in-progress')
    expect(wire.standIn.calls).toHaveLength(1)
    wire.standIn.call.hangUp()
    await vi.waitFor(
      async () => expect(await call()).toMatchObject({ endedReason: 'customer-ended-call' }),
      NOW,
    )
    expect(JSON.stringify((await call()).messages)).toContain('nobody answered. The caller is back.')
  })

  it('is transferred to whatever number its operator names, and hung up when they end it', async () => {
    const { id, call, stopHearing } = await answered(async () => undefined)
    const destination = { type: 'number', number: '+12025550199', message: 'To the boss.' }
    const control = (body: object) => bench.request('POST', `/call/${id}/control`, body)
    expect((await control({ type: 'transfer', destination })).status).toBe(200)
    await vi.waitFor(() => expect(dialled()).toBe('+12025550199'), NOW)
    stopHearing()
    expect((await control({ type: 'end-call' })).status).toBe(200)
    await vi.waitFor(async () => expect((await call()).status).toBe('ended'), NOW)
    await vi.waitFor(() => expect(wire.standIn.call.status).toBe('completed'), NOW)
  })

  it.each<[string, TransferGate, string]>([
    ['the gate refuses it', async () => 'dnc', 'I am sorry, I cannot transfer this call.'],
    [
      'the gate cannot be asked',
      () => Promise.reject(new Error('away')),
      'I am sorry, I cannot transfer this call.',
    ],
  ])('goes on where %s', async (_, gate, words) => {
    const { call, engines, stopHearing } = await answered(gate, [SALES])
    await vi.waitFor(() => expect(engines.spoken).toContain(words), NOW)
    stopHearing()
    expect(dialled()).toBeUndefined()
    expect((await call()).status).toBe('in-progress')
  })

  it('shows its transfer the caller id of the destination', async () => {
    await db.query(
      `insert into voice_platform.phone_numbers (number, settings) values ('+12025550177', '{}')`,
    )
    const { stopHearing } = await answered(async () => undefined, [SALES], { callerId: '+12025550177' })
    await vi.waitFor(() => expect(dialled()).toBe(SALES), NOW)
    stopHearing()
    expect(wire.standIn.call.dial?.attribute('callerId')).toBe('+12025550177')
  })

  it('never shows a number that is none of ours', async () => {
    const gate = vi.fn<TransferGate>(async () => undefined)
    const more = { callerId: '+12025550188' }
    const { call, engines, stopHearing } = await answered(gate, [SALES], more)
    const words = 'I am sorry, I cannot transfer this call.'
    await vi.waitFor(() => expect(engines.spoken).toContain(words), NOW)
    stopHearing()
    expect([gate.mock.calls.length, dialled()]).toEqual([0, undefined])
    expect((await call()).status).toBe('in-progress')
    const destinations = [{ type: 'number', number: SALES, ...more }]
    const model = { provider: 'openai', model: 'x', tools: [{ type: 'transferCall', destinations }] }
    const made = await bench.request('POST', '/assistant', { name: 'Sales', model })
    expect([made.status, JSON.stringify(await made.json())]).toEqual([
      400,
      expect.stringContaining('callerId +12025550188: it is none of your phone numbers'),
    ])
  })

  it('is told the number where no gate was given', async () => {
    const { engines, stopHearing } = await answered(undefined, [SALES])
    await vi.waitFor(() => expect(engines.spoken.join(' ')).toContain('Please call plus 1 2 0 2'), NOW)
    stopHearing()
    expect(dialled()).toBeUndefined()
  })

  it('is not transferred to a number that the model made up', async () => {
    const gate = vi.fn<TransferGate>(async () => undefined)
    const { call, stopHearing } = await answered(gate, ['+19005550000'])
    await vi.waitFor(
      async () => expect(JSON.stringify((await call()).messages)).toContain('none of the destinations'),
      NOW,
    )
    stopHearing()
    expect([gate.mock.calls.length, dialled()]).toEqual([0, undefined])
  })
})
