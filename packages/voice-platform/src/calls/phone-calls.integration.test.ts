import type { Db } from '@heyline/database'
import { ManualClock } from '@heyline/kit/manual-clock'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type Carrier,
  type CarrierEvents,
  CarrierRefusal,
  type DialRequest,
  type LegEnd,
  type TextMessage,
} from '../carriers/carrier.js'
import { CalleeLink } from '../carriers/simulated/callee-link.js'
import { tone } from '../link/link.contract.js'
import { type PlatformBench, startPlatform, type TestSocket } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'

/** A carrier that does what a test says. */
class ScriptedCarrier implements Carrier {
  readonly name = 'scripted'
  readonly dialled: DialRequest[] = []
  readonly hungUp: string[] = []
  readonly texts: TextMessage[] = []
  fails: Error | undefined
  events: CarrierEvents | undefined

  connect(events: CarrierEvents): void {
    this.events = events
  }
  async dial(request: DialRequest) {
    this.dialled.push(request)
    if (this.fails) throw this.fails
    return { id: 'leg-1' }
  }
  async hangUp(callId: string) {
    this.hungUp.push(callId)
  }
  async sendText(text: TextMessage) {
    if (this.fails) throw this.fails
    this.texts.push(text)
  }
  async close() {}
}

let db: Db
let bench: PlatformBench
let carrier: ScriptedCarrier
let clock: ManualClock
beforeAll(async () => {
  db = await openPlatformDb()
})
afterAll(() => db.close())
beforeEach(async () => {
  carrier = new ScriptedCarrier()
  clock = new ManualClock()
  bench = await startPlatform(db, { carrier, clock })
})
afterEach(() => bench.close())

const customer = { number: '+12025550123', name: 'Sample Bakery' }
const place = async () => {
  const { assistantId } = await bench.platform.defaults()
  return bench.client.calls.create({ assistantId, customer, name: 'visitor-7' })
}
const expectCall = (id: string, call: object) =>
  vi.waitFor(async () => expect(await bench.client.calls.get(id)).toMatchObject(call))

describe('a phone call', () => {
  it('is dialled from the default number, and stays queued until the carrier reports', async () => {
    const call = await place()
    const { phoneNumberId } = await bench.platform.defaults()
    expect(call).toMatchObject({
      type: 'outboundPhoneCall',
      status: 'queued',
      name: 'visitor-7',
      customer,
      phoneNumberId,
      phoneCallTransport: 'pstn',
    })
    expect(carrier.dialled).toEqual([
      {
        ...{ callId: call.id, to: '+12025550123', from: '+12025550100', ringSeconds: 30 },
        ...{ mostSeconds: 600, machines: 'end' },
      },
    ])
    await expectCall(call.id, { status: 'queued', phoneCallProviderId: 'leg-1' })
  })

  it.each(['(415) 555-0111', '4155550111', 'sip:someone@example.com'])(
    'to %s is refused and leaves no row, also where the form need not be checked',
    async (number) => {
      const { assistantId } = await bench.platform.defaults()
      const { rows: before } = await db.query('select id from voice_platform.calls')
      const placed = bench.client.calls.create({
        assistantId,
        customer: { number, numberE164CheckEnabled: false },
      })
      await expect(placed).rejects.toMatchObject({ status: 400 })
      expect((await db.query('select id from voice_platform.calls')).rows).toEqual(before)
      expect(carrier.dialled).toEqual([])
    },
  )

  it('rings, is answered, and is written down when the callee hangs up', async () => {
    const engines = new ScriptedEngines()
    await bench.close()
    bench = await startPlatform(db, { carrier, clock, engines })
    const call = await place()
    carrier.events?.onRinging(call.id)
    await expectCall(call.id, { status: 'ringing' })
    const link = new CalleeLink(clock)
    carrier.events?.onAnswered(call.id, link)
    await expectCall(call.id, { status: 'in-progress', startedAt: expect.any(String) })
    const [greeting = ''] = await vi.waitFor(() => {
      expect(engines.spoken.length).toBeGreaterThan(0)
      return engines.spoken
    })
    await vi.waitFor(async () => {
      clock.advance(500)
      const { status } = await bench.client.calls.get(call.id)
      expect(status).toBe('ended')
    })
    const ended = await bench.client.calls.get(call.id)
    expect(ended).toMatchObject({ endedReason: 'customer-ended-call' })
    expect(ended.transcript).toContain(`AI: ${greeting}`)
    await vi.waitFor(() => expect(carrier.hungUp).toEqual([call.id]))
  })

  it.each<[LegEnd, string]>([
    ['hung-up', 'customer-ended-call'],
    ['no-answer', 'customer-did-not-answer'],
    ['busy', 'customer-busy'],
    ['voicemail', 'voicemail'],
    ['misdialed', 'twilio-reported-customer-misdialed'],
    ['failed', 'call.in-progress.error-providerfault-transport-never-connected'],
    ['unheard', 'call.in-progress.error-sip-outbound-call-failed-to-connect'],
    ['canceled', 'manually-canceled'],
  ])('that ends as %s was ended for the reason %s', async (end, endedReason) => {
    const call = await place()
    carrier.events?.onRinging(call.id)
    carrier.events?.onEnded(call.id, end)
    await expectCall(call.id, { status: 'ended', endedReason })
  })

  it.each([
    [{}, { machines: 'end' }],
    [{ voicemailMessage: 'Call us back.' }, { machines: 'report' }],
    [{ voicemailMessage: ' ', voicemailDetection: { provider: 'vapi' as const } }, { machines: 'end' }],
    [{ voicemailDetection: 'off' as const, voicemailMessage: 'Call us back.' }, {}],
    [{ voicemailDetection: { provider: 'twilio' as const, enabled: false } }, {}],
  ])('with the settings %j asks the carrier for %j', async (assistant, asked) => {
    await bench.client.calls.create({ assistant, customer })
    const { callId, to, from, ringSeconds, mostSeconds, ...rest } = carrier.dialled[0] ?? {}
    expect(rest).toEqual(asked)
  })

  const toVoicemail = async () => {
    const engines = new ScriptedEngines()
    await bench.close()
    bench = await startPlatform(db, { carrier, clock, engines })
    const assistant = { firstMessage: 'Hello, this is Sam.', voicemailMessage: 'Please call {{name}} back.' }
    const assistantOverrides = { variableValues: { name: 'us' } }
    const call = await bench.client.calls.create({ assistant, assistantOverrides, customer })
    const ended = () =>
      vi.waitFor(async () => {
        clock.advance(500)
        const got = await bench.client.calls.get(call.id)
        expect(got.status).toBe('ended')
        return got
      })
    return { call, engines, ended }
  }

  it('that a voicemail box takes leaves the assistant’s message there, and nothing else', async () => {
    const { call, engines, ended } = await toVoicemail()
    carrier.events?.onAnswered(call.id, new CalleeLink(clock), 'machine')
    expect(await ended()).toMatchObject({
      endedReason: 'voicemail',
      transcript: 'AI: Please call us back.',
    })
    expect(engines.spoken).toEqual(['Please call us back.'])
    await vi.waitFor(() => expect(carrier.hungUp).toEqual([call.id]))
  })

  it('that turns out to be a voicemail box has its greeting cut, and leaves the message', async () => {
    const { call, engines, ended } = await toVoicemail()
    carrier.events?.onAnswered(call.id, new CalleeLink(clock))
    await vi.waitFor(() => expect(engines.spoken).toEqual(['Hello, this is Sam.']))
    carrier.events?.onMachine(call.id)
    await new Promise((resolve) => setTimeout(resolve, 20))
    const { endedReason, transcript } = await ended()
    expect(endedReason).toBe('voicemail')
    expect(transcript).toBe('AI: Please call us back.')
  })

  it.each([
    ['voicemail', 'voicemail'],
    ['hung-up', 'customer-ended-call'],
  ] as const)(
    'that was answered and ends as %s before anybody talks tells since when it is billed',
    async (end, endedReason) => {
      const call = await place()
      await carrier.events?.onPickedUp?.(call.id)
      await carrier.events?.onPickedUp?.(call.id)
      carrier.events?.onEnded(call.id, end)
      const transport = { provider: 'scripted', answeredAt: expect.any(String) }
      await expectCall(call.id, { status: 'ended', endedReason, transport })
      expect(await bench.client.calls.get(call.id)).not.toHaveProperty('startedAt')
    },
  )

  it('that nobody answers tells nothing of that', async () => {
    const call = await place()
    carrier.events?.onEnded(call.id, 'busy')
    await carrier.events?.onPickedUp?.(call.id)
    await expectCall(call.id, { status: 'ended', endedReason: 'customer-busy' })
    expect(await bench.client.calls.get(call.id)).not.toHaveProperty('transport')
  })

  it('that is told late is that of the conversation', async () => {
    const call = await place()
    carrier.events?.onAnswered(call.id, new CalleeLink(clock))
    await expectCall(call.id, { status: 'in-progress' })
    await db.query(
      `update voice_platform.calls set started_at = started_at - interval '5 minutes' where id = $1`,
      [call.id],
    )
    await carrier.events?.onPickedUp?.(call.id)
    const { startedAt, transport } = await bench.client.calls.get(call.id)
    expect(transport?.answeredAt).toBe(startedAt)
  })

  it('counts its longest time from the answer, where its carrier bills it', async () => {
    const assistant = { maxDurationSeconds: 10 }
    const call = await bench.client.calls.create({ assistant, customer })
    await carrier.events?.onPickedUp?.(call.id)
    const earlier = `update voice_platform.calls set answered_at = now() - interval '4 seconds' where id = $1`
    await db.query(earlier, [call.id])
    carrier.events?.onAnswered(call.id, new CalleeLink(clock))
    await expectCall(call.id, { status: 'in-progress' })
    await vi.waitFor(() => expect(clock.pending).toBeGreaterThan(0))
    clock.advance(4_600)
    await vi.waitFor(async () => {
      clock.advance(50)
      expect((await bench.client.calls.get(call.id)).endedReason).toBe('exceeded-max-duration')
    })
    const { startedAt = '', transport } = await bench.client.calls.get(call.id)
    expect(Date.parse(startedAt) - Date.parse(transport?.answeredAt ?? '')).toBeGreaterThanOrEqual(4_000)
  })

  it('that was answered while the database was away tells so with its end', async () => {
    const call = await place()
    const rename = (from: string, to: string) =>
      db.exec(`alter table voice_platform.calls rename column ${from} to ${to}`)
    await rename('answered_at', 'away')
    await carrier.events?.onPickedUp?.(call.id)
    await rename('away', 'answered_at')
    carrier.events?.onEnded(call.id, 'voicemail')
    await expectCall(call.id, { status: 'ended', transport: { answeredAt: expect.any(String) } })
  })

  it('keeps the order of the carrier’s reports, and its first end', async () => {
    const call = await place()
    carrier.events?.onEnded(call.id, 'busy')
    carrier.events?.onRinging(call.id)
    carrier.events?.onEnded(call.id, 'no-answer')
    await expectCall(call.id, { status: 'ended', endedReason: 'customer-busy' })
  })

  it('that is answered after its end has its link closed', async () => {
    const call = await place()
    carrier.events?.onEnded(call.id, 'canceled')
    const link = new CalleeLink(clock)
    carrier.events?.onAnswered(call.id, link)
    await link.gone
    await expectCall(call.id, { status: 'ended', endedReason: 'manually-canceled' })
  })

  it('is ended by the carrier while it is talking', async () => {
    const call = await place()
    const link = new CalleeLink(clock)
    carrier.events?.onAnswered(call.id, link)
    await expectCall(call.id, { status: 'in-progress' })
    carrier.events?.onEnded(call.id, 'failed')
    await vi.waitFor(async () => {
      clock.advance(100)
      expect((await bench.client.calls.get(call.id)).endedReason).toMatch(/^call\.in-progress\.error/)
    })
  })

  it('has the caller id of texts too', async () => {
    const text = { to: '+12025550123', body: 'Your code is 424242' }
    await bench.platform.sendText(text)
    const { rows } = await db.query<{ id: string }>(
      `insert into voice_platform.phone_numbers (number) values ('+12025550177') returning id`,
    )
    await bench.platform.sendText({ ...text, phoneNumberId: rows[0]?.id ?? '' })
    expect(carrier.texts).toEqual([
      { ...text, from: '+12025550100' },
      { ...text, from: '+12025550177' },
    ])
    carrier.fails = new CarrierRefusal('21610', 'The person with this number has opted out of texts.')
    await expect(bench.platform.sendText(text)).rejects.toBe(carrier.fails)
  })

  it('that the carrier refuses is refused with its words, and has ended', async () => {
    carrier.fails = new CarrierRefusal('21211', 'The number is not one that can be called.')
    const { assistantId } = await bench.platform.defaults()
    const response = await bench.request('POST', '/call', { assistantId, customer })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      message: 'The number is not one that can be called.',
      error: 'Bad Request',
      statusCode: 400,
    })
    const [latest] = await bench.client.calls.list({ limit: 1 })
    expect(latest).toMatchObject({ status: 'ended', endedReason: 'call.start.error-get-transport' })
  })

  it('that the lines refuse is refused in the same way, where it is no campaign’s', async () => {
    carrier.fails = new CarrierRefusal('unreachable', 'Twilio could not be reached.', { isOfLines: true })
    const { assistantId } = await bench.platform.defaults()
    const response = await bench.request('POST', '/call', { assistantId, customer })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      message: 'Twilio could not be reached.',
      error: 'Bad Request',
      statusCode: 400,
    })
    const [latest] = await bench.client.calls.list({ limit: 1 })
    expect(latest).toMatchObject({ status: 'ended', endedReason: 'call.start.error-get-transport' })
  })

  it('that the carrier may place a moment later is refused with 429, and leaves no record', async () => {
    carrier.fails = new CarrierRefusal('sip-socket', 'The address is taken.', { mayPass: true })
    const { assistantId } = await bench.platform.defaults()
    const before = await bench.client.calls.list()
    const response = await bench.request('POST', '/call', { assistantId, customer })
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '2'])
    expect(await response.json()).toMatchObject({ message: 'The address is taken.' })
    expect(await bench.client.calls.list()).toEqual(before)
  })

  it('of which the carrier does not know stays open: it may ring', async () => {
    carrier.fails = new Error('no answer from the carrier')
    const call = await place()
    expect(call.status).toBe('queued')
    carrier.events?.onAnswered(call.id, new CalleeLink(clock))
    await expectCall(call.id, { status: 'in-progress' })
  })

  it('that nobody has answered is hung up when the process goes', async () => {
    const call = await place()
    await bench.platform.close()
    expect(carrier.hungUp).toEqual([call.id])
    const next = await startPlatform(db)
    expect(await next.client.calls.get(call.id)).toMatchObject({
      status: 'ended',
      endedReason: 'worker-shutdown',
    })
    await next.close()
  })
})

describe('a phone call to a pocket phone', () => {
  const heard = (phone: TestSocket, type: string) =>
    vi.waitFor(() => {
      const message = phone.texts.find((text) => text.type === type)
      if (!message) throw new Error(`${type} has not come yet`)
      return message
    })

  it('rings, is answered in the browser, and speaks there', async () => {
    const platform = await startPlatform(db)
    const phone = await platform.openPhone()
    const { assistantId } = await platform.platform.defaults()
    const call = await platform.client.calls.create({ assistantId, customer })
    expect(await heard(phone, 'ring')).toMatchObject({
      callId: call.id,
      from: '+12025550100',
      to: customer.number,
    })
    expect((await platform.client.calls.get(call.id)).status).toBe('ringing')
    phone.socket.send(JSON.stringify({ type: 'answer', callId: call.id }))
    const { roomUrl } = await heard(phone, 'answered')
    const room = platform.openRoom(String(roomUrl))
    await heard(room, 'room.listening')
    await vi.waitFor(() => expect(room.audioBytes()).toBeGreaterThan(0))
    expect((await platform.client.calls.get(call.id)).status).toBe('in-progress')
    room.socket.send(Buffer.from(tone(20, 0.1).buffer))
    room.socket.send('{"type":"room.leave"}')
    await room.closed
    await vi.waitFor(async () =>
      expect(await platform.client.calls.get(call.id)).toMatchObject({
        status: 'ended',
        endedReason: 'customer-ended-call',
      }),
    )
    await platform.close()
    const { rows } = await db.query('select * from voice_platform.simulated_legs')
    expect(rows).toEqual([])
  })
})
