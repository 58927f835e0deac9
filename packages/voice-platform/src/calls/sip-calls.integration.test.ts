import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { Db } from '@heyline/database'
import { systemClock } from '@heyline/kit/clock'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { askSipServer } from '../carriers/sip/ask-sip-server.js'
import { createSipCarrier, type SipCarrierOptions } from '../carriers/sip/sip-carrier.js'
import type { ToolCall } from '../engines/engine.js'
import { freeUdpPort } from '../testing/baresip.js'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'
import { SipCaller } from '../testing/sip-caller.js'
import { SipPhone } from '../testing/sip-phone.js'
import type { AdmitIncoming } from './incoming-calls.js'
import type { TransferGate } from './transfers.js'

const CALLEE = '+12025550123'
const SALES = '+12025550142'
const OURS = '+12025550177'
const logger = pino({ level: 'silent' })
const NOW = { timeout: 5_000 }

let db: Db
let phone: SipPhone
let ends: Array<() => Promise<void>>
beforeAll(async () => {
  db = await openPlatformDb()
})
afterAll(() => db.close())
afterEach(async () => {
  for (const end of ends.reverse()) await end()
  phone.close()
})

/** A platform whose calls go by SIP, and a phone. */
async function open(
  uses: Array<Pick<ToolCall, 'name' | 'arguments'>> = [],
  transferGate?: TransferGate,
  { admitIncoming, ...options }: Partial<SipCarrierOptions> & { admitIncoming?: AdmitIncoming } = {},
) {
  ends = []
  phone = new SipPhone()
  await phone.listen()
  phone.callees.set(CALLEE, 'answers')
  const carrier = createSipCarrier({
    to: `sip:{number}@127.0.0.1:${phone.port}`,
    bind: { host: '127.0.0.1', port: 0 },
    logger,
    ...options,
  })
  const engines = new ScriptedEngines({ uses: [uses] })
  const bench = await startPlatform(db, {
    ...{ carrier, engines },
    ...(transferGate && { transferGate }),
    ...(admitIncoming && { admitIncoming }),
  })
  ends.push(() => carrier.close(), bench.close)
  return { bench, engines }
}

/** A platform that takes calls by SIP to a number of ours, and somebody who calls it. */
async function openForCalls(admitIncoming: AdmitIncoming, firstMessage = 'Front desk, hello.') {
  const port = await freeUdpPort()
  const { bench, engines } = await open([], undefined, {
    inbound: 'trunk',
    bind: { host: '127.0.0.1', port },
    ...{ admitIncoming },
  })
  const { id } = await bench.client.assistants.create({ name: 'Desk', firstMessage })
  await db.query('delete from voice_platform.phone_numbers where number = $1', [OURS])
  await db.query('insert into voice_platform.phone_numbers (number, settings) values ($1, $2)', [
    OURS,
    { assistantId: id },
  ])
  const caller = new SipCaller(port)
  await caller.listen()
  ends.push(async () => caller.close())
  const ask = { to: `sip:a@127.0.0.1:${port}`, host: '127.0.0.1', timeoutMs: 100, clock: systemClock }
  await vi.waitFor(async () => expect(await askSipServer({ ...ask, logger })).toBe(200), NOW)
  const calls = async () =>
    (await bench.client.calls.list({ limit: 10 })).filter(({ type }) => type === 'inboundPhoneCall')
  return { bench, engines, caller, calls }
}

/** A call that somebody has answered, whose model may transfer it and press keys. */
async function answered(bench: PlatformBench) {
  const destinations = [{ type: 'number', number: SALES }]
  const created = await bench.request('POST', '/call', {
    assistant: {
      maxDurationSeconds: 300,
      firstMessageMode: 'assistant-speaks-first-with-model-generated-message',
      model: {
        provider: 'openai',
        model: 'gpt-4o-mini',
        tools: [{ type: 'transferCall', destinations }, { type: 'dtmf' }],
      },
    },
    customer: { number: CALLEE },
  })
  const { id } = await created.json()
  const call = () => bench.client.calls.get(id)
  await vi.waitFor(async () => expect((await call()).status).toBe('in-progress'), NOW)
  return call
}
const referred = () => vi.waitFor(() => expect(phone.requests('REFER')).toHaveLength(1), NOW)
const transferring = [{ name: 'transferCall', arguments: { destination: SALES } }]

describe('a process whose address for SIP cannot be opened', () => {
  const ask = (bench: PlatformBench) =>
    bench.request('POST', '/call', { assistant: { firstMessage: '' }, customer: { number: CALLEE } })

  it('has room for no phone call while the address is taken, and stores none', async () => {
    const taken = createSocket('udp4')
    taken.bind(0, '127.0.0.1')
    await once(taken, 'listening')
    const { bench } = await open([], undefined, { bind: { host: '127.0.0.1', port: taken.address().port } })
    const before = await bench.client.calls.list()
    const refusal = await ask(bench)
    expect([refusal.status, refusal.headers.get('retry-after')]).toEqual([429, '2'])
    expect(await refusal.json()).toMatchObject({ message: expect.stringContaining('SIP_BIND is taken') })
    expect(bench.platform.house()).toMatchObject({ room: Number.POSITIVE_INFINITY, phoneRoom: 0 })
    expect(await bench.client.calls.list()).toEqual(before)
    taken.close()
    await vi.waitFor(() => expect(bench.platform.house().phoneRoom).toBe(Number.POSITIVE_INFINITY), NOW)
    expect((await ask(bench)).status).toBe(201)
  })

  it('refuses calls for good where it is not of this machine', async () => {
    const { bench } = await open([], undefined, { bind: { host: '192.0.2.1', port: 5060 } })
    const refusal = await ask(bench)
    expect(refusal.status).toBe(400)
    expect(await refusal.json()).toMatchObject({ message: expect.stringContaining('not of this machine') })
    expect(bench.platform.house().phoneRoom).toBe(0)
  })
})

describe('a call to us by SIP', () => {
  it('reaches the number’s assistant, within the gate’s longest call', async () => {
    const admit = vi.fn<AdmitIncoming>(async () => ({
      ...{ admitted: true, maxSeconds: 90, failed: async () => {} },
    }))
    const { engines, caller, calls } = await openForCalls(admit)
    caller.call({ to: OURS, from: CALLEE })
    await vi.waitFor(() => expect(caller.statuses).toEqual([100, 200]), NOW)
    caller.ack()
    await vi.waitFor(() => expect(engines.spoken).toEqual(['Front desk, hello.']), NOW)
    const [taken] = await calls()
    expect(taken).toMatchObject({
      ...{ status: 'in-progress', customer: { number: CALLEE }, transport: { callerProven: false } },
    })
    expect(admit.mock.calls).toEqual([[{ callId: taken?.id, from: CALLEE, proven: false }]])
    const { rows } = await db.query<{ seconds: string }>(
      `select assistant ->> 'maxDurationSeconds' as seconds from voice_platform.calls where id = $1`,
      [taken?.id],
    )
    expect(rows).toEqual([{ seconds: '90' }])
    caller.send('BYE')
    await vi.waitFor(
      async () =>
        expect((await calls())[0]).toMatchObject({ status: 'ended', endedReason: 'customer-ended-call' }),
      NOW,
    )
  })

  it.each([
    ['in From alone', [], false],
    ['that the trunk vouches for', [['p-asserted-identity', `<sip:${CALLEE}@trunk.example>`]], true],
  ] as const)(
    'from a number %s says so to its assistant and to servers',
    async (_, headers, callerProven) => {
      const admit: AdmitIncoming = async () => ({ admitted: true, maxSeconds: 90, failed: async () => {} })
      const { engines, caller, calls } = await openForCalls(admit, '{{customer.number}}: {{callerProven}}')
      caller.call({ to: OURS, from: CALLEE, headers })
      await vi.waitFor(() => expect(caller.statuses).toEqual([100, 200]), NOW)
      caller.ack()
      await vi.waitFor(() => expect(engines.spoken).toEqual([`${CALLEE}: ${callerProven}`]), NOW)
      expect((await calls())[0]).toMatchObject({ customer: { number: CALLEE }, transport: { callerProven } })
    },
  )

  it.each([
    ['tells the gate, and keeps no assistant', false],
    ['tells it nothing, and keeps the assistant, where its caller has confirmed it', true],
  ])('that is over %s', async (_, confirms) => {
    const unconfirmed = vi.fn(async () => {})
    const { caller, calls } = await openForCalls(async () => ({
      ...{ admitted: true, maxSeconds: 90, failed: async () => {}, unconfirmed },
    }))
    caller.call({ to: OURS, from: CALLEE })
    await vi.waitFor(() => expect(caller.statuses).toEqual([100, 200]), NOW)
    if (confirms) {
      caller.ack()
      await vi.waitFor(async () => expect((await calls())[0]?.status).toBe('in-progress'), NOW)
    }
    caller.send('BYE')
    await vi.waitFor(async () => expect((await calls())[0]?.status).toBe('ended'), NOW)
    const kept = async () =>
      (
        await db.query<{ kept: boolean }>(
          `select assistant <> '{}' as kept from voice_platform.calls where type = 'inboundPhoneCall' order by created_at desc limit 1`,
        )
      ).rows[0]?.kept
    await vi.waitFor(async () => expect(await kept()).toBe(confirms), NOW)
    expect(unconfirmed).toHaveBeenCalledTimes(confirms ? 0 : 1)
  })

  it('that the gate refuses is not taken', async () => {
    const { caller, calls } = await openForCalls(async () => ({ admitted: false }))
    const before = (await calls()).length
    caller.call({ to: OURS, from: CALLEE })
    await vi.waitFor(() => expect(caller.statuses).toEqual([100, 480]), NOW)
    expect(await calls()).toHaveLength(before)
  })

  it('whose caller says nothing of itself, or that is to a number that is not ours, is not taken', async () => {
    const admit = vi.fn<AdmitIncoming>(async () => ({ admitted: false }))
    const { caller } = await openForCalls(admit)
    caller.call({ to: OURS, from: 'anonymous' })
    await vi.waitFor(() => expect(caller.statuses).toEqual([100, 480]), NOW)
    caller.ack()
    caller.call({ to: '+12025550178', callId: 'another', branch: 'z9hG4bKanother' })
    await vi.waitFor(() => expect(caller.statuses.slice(0, 4)).toEqual([100, 480, 100, 480]), NOW)
    expect(admit).not.toHaveBeenCalled()
  })
})

describe('a call by SIP', () => {
  it('is transferred by its model, once the gate has been asked', async () => {
    const gate = vi.fn<TransferGate>(async () => undefined)
    const { bench, engines } = await open(transferring, gate)
    const call = await answered(bench)
    await referred()
    expect(gate.mock.calls.map(([{ number }]) => number)).toEqual([SALES])
    expect(engines.spoken).toContain('Transferring the call now.')
    phone.notify('200 OK', 'terminated;reason=noresource')
    await vi.waitFor(
      async () =>
        expect(await call()).toMatchObject({ status: 'ended', endedReason: 'assistant-forwarded-call' }),
      NOW,
    )
    expect((await call()).messages?.map(({ message }) => message)).toContain(
      `The call was transferred to ${SALES}.`,
    )
  })

  it.each([
    ['the phone does not transfer', undefined, 405, undefined],
    ['nobody answers there', undefined, 202, '486 Busy Here'],
    ['the gate refuses it', 'dnc', undefined, undefined],
  ])('goes on with its assistant where %s', async (_when, refusal, status, news) => {
    const { bench, engines } = await open(transferring, async () => refusal)
    if (status) phone.referAnswer = status
    const call = await answered(bench)
    if (news) {
      await referred()
      phone.notify(news)
    }
    await vi.waitFor(() => expect(engines.spoken).toContain('I am sorry, I cannot transfer this call.'), NOW)
    expect(phone.requests('REFER')).toHaveLength(refusal ? 0 : 1)
    expect((await call()).status).toBe('in-progress')
  })

  it('has the keys that its model presses as telephone-events', async () => {
    const { bench } = await open([{ name: 'dtmf', arguments: { dtmf: '4#' } }])
    await answered(bench)
    const keys = () => new Set(phone.heard.flatMap(({ type, payload }) => (type === 101 ? [payload[0]] : [])))
    await vi.waitFor(() => expect([...keys()]).toEqual([4, 11]), NOW)
  })

  it('has ended in the record once the process that held it is gone and another starts', async () => {
    const { bench } = await open()
    const call = await answered(bench)
    // What a killed process leaves: its row, and nobody who beats for it.
    const other = await startPlatform(db)
    ends.push(other.close)
    await vi.waitFor(
      async () => expect(await call()).toMatchObject({ status: 'ended', endedReason: 'worker-shutdown' }),
      NOW,
    )
  })
})
