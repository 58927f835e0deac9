import type { Db } from '@heyline/database'
import { systemClock } from '@heyline/kit/clock'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'
import { StandInCall } from '../testing/stand-in-call.js'
import { openWire, type TwilioWire, until } from '../testing/twilio-bench.js'
import type { AdmitIncoming, CallsBack } from './incoming-calls.js'
import type { TransferGate } from './transfers.js'

const OURS = '+12025550177'
const CALLER = '+12025550123'

let db: Db
let wire: TwilioWire
let bench: PlatformBench
let engines: ScriptedEngines
let asked: Parameters<AdmitIncoming>[0][]
let transfers: Parameters<TransferGate>[0][]
let isAdmitted: boolean
beforeAll(async () => {
  db = await openPlatformDb()
})
afterAll(() => db.close())
beforeEach(() => start())
afterEach(() => stop())

async function start(callsBack?: CallsBack): Promise<void> {
  asked = []
  transfers = []
  isAdmitted = true
  engines = new ScriptedEngines()
  wire = await openWire({ db, clock: systemClock, machineDetection: false })
  bench = await startPlatform(db, {
    carrier: wire.carrier,
    clock: wire.clock,
    engines,
    async transferGate(transfer) {
      transfers.push(transfer)
      return undefined
    },
    ...(callsBack && { callsBack }),
    async admitIncoming(call) {
      asked.push(call)
      return isAdmitted ? { admitted: true, maxSeconds: 90, failed: async () => {} } : { admitted: false }
    },
  })
  const { id } = await bench.client.assistants.create({
    name: 'Front desk',
    firstMessage: 'Front desk, hello.',
  })
  await db.query('delete from voice_platform.phone_numbers where number = $1', [OURS])
  await db.query('insert into voice_platform.phone_numbers (number, settings) values ($1, $2)', [
    OURS,
    { assistantId: id },
  ])
}

async function stop(): Promise<void> {
  await bench.close()
  await wire.close()
  await db.exec('delete from voice_platform.calls; delete from voice_platform.carrier_legs')
}

/** Somebody calls one of our numbers. */
function callIn({ from = CALLER, to = OURS, verstat = 'TN-Validation-Passed-A' } = {}) {
  const { standIn, url } = wire
  const form = new URLSearchParams({ From: from, To: to, Url: `${url}/-/carriers/twilio/inbound` })
  if (verstat !== '') form.set('StirVerstat', verstat)
  const call = new StandInCall({ accountSid: standIn.accountSid, authToken: () => standIn.authToken, form })
  standIn.calls.push(call)
  return call
}
const calls = async () =>
  (await bench.client.calls.list({ limit: 10 })).filter(({ type }) => type === 'inboundPhoneCall')
const spoken = (words: string) => until(() => expect(engines.spoken).toEqual([words]))

describe('a call to one of our numbers', () => {
  it('reaches the number’s assistant, within the gate’s longest call', async () => {
    const call = callIn()
    const stream = await call.fetchStream()
    await call.connect(stream?.url ?? '', stream?.parameters ?? {})
    await spoken('Front desk, hello.')
    const [taken] = await calls()
    expect(taken).toMatchObject({
      status: 'in-progress',
      customer: { number: CALLER },
      phoneCallProviderId: call.sid,
      phoneCallTransport: 'pstn',
    })
    expect(asked).toEqual([{ callId: taken?.id, from: CALLER, proven: true }])
    const { rows } = await db.query<{ assistant: object }>(
      `select assistant from voice_platform.calls where type = 'inboundPhoneCall'`,
    )
    expect(rows[0]?.assistant).toMatchObject({ maxDurationSeconds: 90 })
    call.hangUp()
    await until(async () => {
      wire.clock.advance(100)
      expect((await calls())[0]).toMatchObject({ status: 'ended', endedReason: 'customer-ended-call' })
    })
  })

  it('can be transferred, as a call that we made', async () => {
    const call = callIn()
    const stream = await call.fetchStream()
    await call.become('in-progress')
    await call.connect(stream?.url ?? '', stream?.parameters ?? {})
    await spoken('Front desk, hello.')
    const [taken] = await calls()
    const destination = { type: 'number', number: '+12025550142', message: '' }
    const body = { type: 'transfer', destination }
    expect((await bench.request('POST', `/call/${taken?.id}/control`, body)).status).toBe(200)
    await until(() => expect(call.dial?.number).toBe('+12025550142'))
    expect(call.dial?.attribute('callerId')).toBe(OURS)
    expect(transfers).toMatchObject([{ number: '+12025550142', inbound: true }])
    expect(await call.dialOver('completed')).toBe('hung up')
    await until(async () => {
      wire.clock.advance(100)
      expect((await calls())[0]).toMatchObject({ endedReason: 'assistant-forwarded-call' })
    })
  })

  /** We called `CALLER` from `OURS`. */
  async function called(): Promise<void> {
    const { rows } = await db.query<{ id: string }>(
      'select id from voice_platform.phone_numbers where number = $1',
      [OURS],
    )
    const assistant = {
      firstMessage: 'This is Sam.',
      model: { provider: 'openai', messages: [{ role: 'system' as const, content: 'You sell {{what}}.' }] },
    }
    const dialled = await bench.client.calls.create({
      assistant,
      assistantOverrides: { firstMessage: 'I sell {{what}}.', variableValues: { what: 'bread' } },
      customer: { number: CALLER },
      phoneNumberId: rows[0]?.id ?? '',
    })
    await wire.carrier.hangUp(dialled.id)
  }
  const CALLED_BACK = ['Thank you for calling back.', 'You were called from this number.', 'I sell bread.']
  const FRONT_DESK = ['Front desk, hello.']

  async function heard(verstat: string): Promise<string[]> {
    const call = callIn({ verstat })
    const stream = await call.fetchStream()
    await call.connect(stream?.url ?? '', stream?.parameters ?? {})
    await until(() => {
      call.pass(500)
      expect([CALLED_BACK, FRONT_DESK]).toContainEqual(engines.spoken)
    })
    return engines.spoken
  }

  it('of whoever was called from it reaches the assistant of that call, where their number is attested', async () => {
    await called()
    expect(await heard('TN-Validation-Passed-A')).toEqual(CALLED_BACK)
    expect(asked).toMatchObject([{ proven: true }])
  })

  it.each([
    '',
    'No-TN-Validation',
    'TN-Validation-Failed-A',
    'TN-Validation-Passed-B',
    'TN-Validation-Passed-C',
    'TN-Validation-Passed-A-Diverted',
  ])('under a number that is perhaps made up reaches the number’s own assistant (%s)', async (verstat) => {
    await called()
    expect(await heard(verstat)).toEqual(FRONT_DESK)
    expect(asked).toMatchObject([{ proven: false }])
  })

  it.each<[CallsBack, string, { spoken: string[]; proven: boolean }]>([
    ['any', '', { spoken: CALLED_BACK, proven: true }],
    ['off', 'TN-Validation-Passed-A', { spoken: FRONT_DESK, proven: true }],
    ['off', '', { spoken: FRONT_DESK, proven: false }],
  ])('is believed as the installation says: %s %s', async (callsBack, verstat, { spoken, proven }) => {
    await stop()
    await start(callsBack)
    await called()
    expect(await heard(verstat)).toEqual(spoken)
    expect(asked).toMatchObject([{ proven }])
  })

  it.each([
    ['to a number that is not ours', { to: '+12025550178' }],
    ['without a caller’s number', { from: 'anonymous' }],
  ])('%s is refused before Twilio answers it, and nobody is asked', async (_, numbers) => {
    const call = callIn(numbers)
    expect(await call.fetchStream()).toBeUndefined()
    expect(call.twiml).toContain('<Response><Reject reason="rejected"/></Response>')
    expect(asked).toEqual([])
    expect(await calls()).toEqual([])
  })

  it('that the gate refuses finds the line busy, and Twilio bills nothing', async () => {
    isAdmitted = false
    const call = callIn()
    expect(await call.fetchStream()).toBeUndefined()
    expect(call.twiml).toContain('<Response><Reject reason="busy"/></Response>')
    expect(await calls()).toEqual([])
  })

  it('is taken once, however often Twilio asks', async () => {
    const call = callIn()
    await call.fetchStream()
    const stream = await call.fetchStream()
    expect(stream).toBeDefined()
    expect(asked).toHaveLength(1)
    expect(await calls()).toHaveLength(1)
  })

  it('is refused with 403 when its signature is wrong', async () => {
    wire.standIn.signingToken = 'another'
    const { standIn } = wire
    const form = new URLSearchParams({ From: CALLER, To: OURS, Url: `${wire.url}/-/carriers/twilio/inbound` })
    const call = new StandInCall({
      accountSid: standIn.accountSid,
      authToken: () => standIn.signingToken,
      form,
    })
    expect(await call.fetchStream()).toBeUndefined()
    expect(call.answers).toEqual([403])
    expect(asked).toEqual([])
  })
})
