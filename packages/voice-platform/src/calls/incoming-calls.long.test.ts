import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { Db } from '@heyline/database'
import { systemClock } from '@heyline/kit/clock'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { StoredServers } from '../assistants/stored-servers.js'
import { listen, shut, textOf } from '../testing/local-server.js'
import { Outage } from '../testing/outage.js'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'
import { StandInCall } from '../testing/stand-in-call.js'
import { openWire, type TwilioWire, until } from '../testing/twilio-bench.js'
import type { AdmitIncoming, CallsBack } from './incoming-calls.js'
import { platformRowsOf } from './person-calls.js'
import type { TransferGate } from './transfers.js'

const OURS = '+12025550177'
const CALLER = '+12025550123'
/** An assistant with a tool whose parameters lie 15,000 deep inside each other. */
const NESTED = `{"assistant": {"model": {"provider": "openai", "model": "gpt-4o-mini", "tools": [{"type": "function",
  "function": {"name": "look", "parameters": {"type": "object", "properties": {"a": ${'{"a":'.repeat(15_000)}1${'}'.repeat(15_000)}}}}}]}}}`

let db: Db
let outage: Outage
let wire: TwilioWire
let bench: PlatformBench
let engines: ScriptedEngines
/** Every line that was logged. */
let log: string[]
let asked: Parameters<AdmitIncoming>[0][]
let transfers: Parameters<TransferGate>[0][]
let isAdmitted: boolean
/** Reservations of the gate that were given back. */
let givenBack: number
let whyGivenBack: Array<string | undefined>
/** A number's server: what it is asked, and what it answers. */
let server: Server
let serverUrl: string
let answered: () => Promise<string> | string
let questions: { headers: IncomingHttpHeaders; message: Record<string, unknown> }[]
/** What else it hears. */
let told: typeof questions
beforeAll(async () => {
  db = await openPlatformDb()
  outage = new Outage(db)
  server = createServer(async (request, response) => {
    const { message } = JSON.parse(await textOf(request))
    const isQuestion = message.type === 'assistant-request'
    ;(isQuestion ? questions : told).push({ headers: request.headers, message })
    response.end(isQuestion ? await answered() : '{}')
  })
  serverUrl = await listen(server)
})
afterAll(async () => {
  await shut(server)
  await db.close()
})
beforeEach(() => start())
afterEach(() => stop())

const giveBack = (why?: string) => {
  givenBack += 1
  whyGivenBack.push(why)
}

async function start(callsBack?: CallsBack, toolsAllowPrivate = true): Promise<void> {
  asked = []
  log = []
  questions = []
  told = []
  givenBack = 0
  whyGivenBack = []
  transfers = []
  isAdmitted = true
  engines = new ScriptedEngines()
  wire = await openWire({ db, clock: systemClock, machineDetection: false })
  bench = await startPlatform(outage.db, {
    carrier: wire.carrier,
    clock: wire.clock,
    logger: pino({}, { write: (line: string) => void log.push(line) }),
    engines,
    toolsAllowPrivate,
    resourcesKey: Buffer.alloc(32, 7),
    async transferGate(transfer) {
      transfers.push(transfer)
      return undefined
    },
    ...(callsBack && { callsBack }),
    async admitIncoming(call) {
      asked.push(call)
      return isAdmitted
        ? { admitted: true, maxSeconds: 90, failed: async (why) => giveBack(why) }
        : { admitted: false }
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
      transport: { callerProven: true },
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
    // Whom the installation believes is no proof.
    expect((await calls())[0]?.transport).toMatchObject({ callerProven: verstat !== '' })
  })

  it.each([
    ['to a number that is not ours', { to: '+12025550178' }],
    ['without a caller’s number', { from: 'anonymous' }],
    ['from one of our own, as where a line that we call forwards to us,', { from: OURS }],
  ])('%s is refused before Twilio answers it, and nobody is asked', async (_, numbers) => {
    const call = callIn(numbers)
    expect(await call.fetchStream()).toBeUndefined()
    expect(call.twiml).toContain('<Response><Reject reason="rejected"/></Response>')
    expect(asked).toEqual([])
    expect(await calls()).toEqual([])
  })

  it('is told in twenty lines a minute, however many of a kind are refused, and one that counts the rest', async () => {
    for (let count = 0; count < 25; count += 1) await callIn({ to: '+12025550178' }).fetchStream()
    await callIn({ from: 'anonymous' }).fetchStream()
    await bench.close()
    const kinds = log.map((line) => JSON.parse(line)).filter(({ kind }) => kind?.startsWith('incoming-'))
    expect(kinds.map(({ kind, leftOut }) => [kind, leftOut])).toEqual([
      ...Array(20).fill(['incoming-nobody', undefined]),
      ['incoming-hidden', undefined],
      ['incoming-nobody', 5],
    ])
    expect(log.filter((line) => line.includes('incoming call refused'))).toHaveLength(21)
  })

  it('that the gate refuses finds the line busy, and Twilio bills nothing', async () => {
    isAdmitted = false
    const call = callIn()
    expect(await call.fetchStream()).toBeUndefined()
    expect(call.twiml).toContain('<Response><Reject reason="busy"/></Response>')
    expect(await calls()).toEqual([])
  })

  it.each([
    ['row', /insert into voice_platform.calls/],
    ['id at the carrier', /set carrier_call_id/],
  ])('whose %s was stored without an answer leaves no record', async (_, statement) => {
    outage.losesAnswer = statement
    expect(await callIn().fetchStream()).toBeUndefined()
    expect([outage.losesAnswer, givenBack]).toEqual([undefined, 1])
    await until(async () => expect(await calls()).toEqual([]))
  })

  it('is taken once, however often Twilio asks', async () => {
    const call = callIn()
    await call.fetchStream()
    const stream = await call.fetchStream()
    expect(stream).toBeDefined()
    expect(asked).toHaveLength(1)
    expect(await calls()).toHaveLength(1)
  })

  it('is taken once, and answered alike, where Twilio asks twice at the same moment', async () => {
    const call = callIn()
    const streams = await Promise.all([call.fetchStream(), call.fetchStream()])
    expect(streams.map((stream) => stream !== undefined)).toEqual([true, true])
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

describe('a call to a number without anybody, whose server is asked', () => {
  const SECRET = 'hush-hush'
  /** The number has a server instead of its assistant. */
  async function asks(server: object = { url: serverUrl, secret: SECRET }): Promise<string> {
    const { rows } = await db.query<{ id: string; assistant_id: string }>(
      `select id, settings ->> 'assistantId' as assistant_id from voice_platform.phone_numbers where number = $1`,
      [OURS],
    )
    const body = { assistantId: null, server }
    const changed = await bench.request('PATCH', `/phone-number/${rows[0]?.id}`, body)
    expect(changed.status).toBe(200)
    expect(await changed.text()).not.toContain(SECRET)
    return rows[0]?.assistant_id ?? ''
  }
  const answers = (answer: unknown) => {
    answered = () => (typeof answer === 'string' ? answer : JSON.stringify(answer))
  }
  async function takenCall() {
    const call = callIn()
    const stream = await call.fetchStream()
    await call.become('in-progress')
    await call.connect(stream?.url ?? '', stream?.parameters ?? {})
    return call
  }
  const overridden = { firstMessage: 'Hello, {{who}}.', variableValues: { who: 'Ada' } }
  const node = { type: 'conversation', name: 'hello', isStart: true }
  const ended = (endedReason: string, call: StandInCall) =>
    until(async () => {
      call.pass(500)
      wire.clock.advance(100)
      expect((await calls())[0]).toMatchObject({ status: 'ended', endedReason })
    })

  it('reaches the stored assistant that it names, and tells it who calls whom', async () => {
    const assistantId = await asks()
    answers({ assistantId, assistantOverrides: overridden })
    const call = await takenCall()
    await spoken('Hello, Ada.')
    const [taken] = await calls()
    expect(taken).toMatchObject({ status: 'in-progress', assistantId, customer: { number: CALLER } })
    expect(asked).toEqual([{ callId: taken?.id, from: CALLER, proven: true }])
    const customer = { number: CALLER }
    expect(questions).toMatchObject([
      {
        headers: { 'x-vapi-secret': SECRET, 'content-type': 'application/json' },
        message: {
          call: {
            id: taken?.id,
            type: 'inboundPhoneCall',
            status: 'ringing',
            customer,
            phoneCallProviderId: call.sid,
            transport: { callerProven: true },
          },
          customer,
          phoneNumber: { number: OURS, server: { url: serverUrl } },
        },
      },
    ])
    const rows = await db.query('select n::text from voice_platform.phone_numbers n')
    expect(JSON.stringify([questions.map(({ message }) => message), rows])).not.toContain(SECRET)
  })

  it.each<[string, () => object]>([
    ['an assistant', () => ({ assistant: { firstMessage: 'Hello there.' } })],
    ['a squad', () => ({ squad: { members: [{ assistant: { name: 'A', firstMessage: 'Hello there.' } }] } })],
    ['a workflow', () => ({ workflow: { name: 'W', nodes: [node], edges: [] } })],
  ])('reaches %s that it sends', async (what, answer) => {
    await asks()
    answers(answer())
    await takenCall()
    await spoken(what === 'a workflow' ? 'Very well.' : 'Hello there.')
  })

  it('is told to its server with the secret, which is nowhere in the call', async () => {
    const assistantId = await asks({ url: serverUrl, secret: SECRET, headers: { 'x-desk': SECRET } })
    answers({ assistantId })
    const call = await takenCall()
    call.hangUp()
    await ended('customer-ended-call', call)
    await until(() => expect(told.map(({ message }) => message.type)).toContain('end-of-call-report'))
    for (const { headers, message } of told) {
      expect(headers).toMatchObject({ 'x-vapi-secret': SECRET, 'x-desk': SECRET })
      expect(message).toMatchObject({ assistant: { server: { url: serverUrl } } })
      expect(JSON.stringify(message)).not.toContain('sealed')
    }
    const { rows } = await db.query('select c::text as row from voice_platform.calls c')
    expect(JSON.stringify([rows, told.map(({ message }) => message)])).not.toContain(SECRET)
    const exported = []
    for await (const part of platformRowsOf(db, { number: CALLER, callIds: [] })) exported.push(part)
    expect(JSON.stringify(exported)).toContain(serverUrl)
    expect(JSON.stringify(exported)).not.toContain('sealed')
  })

  it.each([
    ['reaches its assistant', true],
    ['is refused where there is none', false],
  ])('whose secrets were sealed with another key %s', async (_, hasAssistant) => {
    const stored = new StoredServers(Buffer.alloc(32, 8)).stored({ url: serverUrl, secret: SECRET })
    await db.query(
      `update voice_platform.phone_numbers set settings = $2::jsonb || case when $3 then settings else '{}' end where number = $1`,
      [OURS, { server: stored }, hasAssistant],
    )
    if (hasAssistant) {
      await takenCall()
      await spoken('Front desk, hello.')
    } else expect(await callIn().fetchStream()).toBeUndefined()
    expect([questions, givenBack]).toEqual([[], 0])
    await asks()
    answers({ assistant: { firstMessage: 'Hello there.' } })
    await callIn().fetchStream()
    expect(questions).toHaveLength(1)
  })

  it('says its error, and ends', async () => {
    await asks()
    answers({ error: 'We are closed today.' })
    const call = await takenCall()
    await spoken('We are closed today.')
    await ended('assistant-request-returned-error', call)
  })

  it('is handed on to the number that it names, through the gate', async () => {
    await asks()
    answers({ destination: { type: 'number', number: '+12025550142', callerId: '+12025550199' } })
    const call = await takenCall()
    await until(() => expect(call.dial?.number).toBe('+12025550142'))
    expect(call.dial?.attribute('callerId')).toBe(OURS)
    expect(transfers).toMatchObject([{ number: '+12025550142', inbound: true }])
    expect(engines.spoken).toEqual([])
    await call.dialOver('completed')
    await ended('assistant-request-returned-forwarding-phone-number', call)
  })

  it.each([
    ['nobody', {}, 'rejected'],
    ['an assistant that does not exist', { assistantId: crypto.randomUUID() }, 'rejected'],
    ['an assistant that is none', { assistant: { firstMessage: 5 } }, 'rejected'],
    ['a SIP address', { destination: { type: 'sip', sipUri: 'sip:a@example.com' } }, 'rejected'],
    ['an error that is too long', { error: 'x'.repeat(1_001) }, 'rejected'],
    ['no JSON', 'Hello!', 'busy'],
    ['what nobody could write down', NESTED, 'busy'],
  ])('is refused where its server names %s, and costs nothing', async (_, answer, reason) => {
    await asks()
    answers(answer)
    const call = callIn()
    expect(await call.fetchStream()).toBeUndefined()
    expect(call.twiml).toContain(`<Reject reason="${reason}"/>`)
    expect([await calls(), givenBack, questions.length]).toEqual([[], 1, 1])
    expect(whyGivenBack).toEqual(['unnamed'])
  })

  it('waits 7.5 seconds for its server, and no longer', async () => {
    await asks({ url: serverUrl, timeoutSeconds: 60 })
    let answer = (_: string) => {}
    answered = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    const call = callIn()
    const fetched = call.fetchStream()
    await until(() => expect(questions).toHaveLength(1))
    wire.clock.advance(7_500)
    expect(await fetched).toBeUndefined()
    expect(call.twiml).toContain('<Reject reason="busy"/>')
    answer('{}')
  })

  it('asks nobody whom the gate refuses, and no private network unless that is allowed', async () => {
    await asks()
    isAdmitted = false
    expect(await callIn().fetchStream()).toBeUndefined()
    await stop()
    await start(undefined, false)
    await asks()
    expect(await callIn().fetchStream()).toBeUndefined()
    expect(questions).toEqual([])
    expect(givenBack).toBe(1)
  })
})
