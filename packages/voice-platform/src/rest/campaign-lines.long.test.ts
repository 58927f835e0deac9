import { type CallDesk, createCallDesk, createCallOffice, DEFAULT_GATE } from '@heyline/call-desk'
import type { Db } from '@heyline/database'
import { systemClock } from '@heyline/kit/clock'
import type { EndedReason } from '@heyline/platform-client'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Carrier } from '../carriers/carrier.js'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { openSipWire } from '../testing/sip-bench.js'
import { openWire } from '../testing/twilio-bench.js'
import { problem } from '../testing/twilio-stand-in.js'

const SOON = { interval: 15, timeout: 20_000 }
const NUMBERS = Array.from({ length: 8 }, (_, place) => `+1415555267${place}`)
const GATE = {
  ...DEFAULT_GATE,
  hours: undefined,
  concurrent: 20,
  numberLimits: [],
  prefixLimits: [],
  countryLimits: [],
  startLimits: [],
  dayBudget: undefined,
  monthBudget: undefined,
}

/** Lines that fail until they are mended. */
interface Lines {
  carrier: Carrier
  mend(): void
  /** The numbers that were called. */
  called(): string[]
  close(): Promise<void>
}

async function twilio(fault: 'unreachable' | { status: number; code: number }): Promise<Lines> {
  let isMended = false
  const down: typeof fetch = async () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), {
      code: 'ECONNREFUSED',
      syscall: 'connect',
    })
    throw new TypeError('fetch failed', { cause })
  }
  const wire = await openWire({
    clock: systemClock,
    fetch: (input, init) => (fault === 'unreachable' && !isMended ? down : fetch)(input, init),
  })
  if (fault !== 'unreachable')
    wire.standIn.intercept = (request, response) => {
      if (isMended || request.method !== 'POST') return false
      response.writeHead(fault.status, { 'retry-after': '60', 'content-type': 'application/json' })
      response.end(JSON.stringify(problem(fault.status, fault.code, 'No')))
      return true
    }
  for (const number of NUMBERS) wire.standIn.callees.set(number, 'busy')
  return {
    ...wire,
    mend: () => {
      isMended = true
    },
    called: () => wire.standIn.calls.map(({ form }) => form.get('To') ?? ''),
  }
}

/** Of a trunk that is silent a second goes by in 40 milliseconds. */
async function sip(fault: number | 'silent'): Promise<Lines> {
  const wire = await openSipWire(fault === 'silent' ? {} : { clock: systemClock })
  const time = setInterval(() => wire.clock.advance(500), 20)
  for (const number of NUMBERS) wire.phone.callees.set(number, fault)
  const called = new Map<string | undefined, string>()
  return {
    ...wire,
    close: () => {
      clearInterval(time)
      return wire.close()
    },
    mend: () => {
      for (const number of NUMBERS) wire.phone.callees.set(number, 486)
      wire.phone.onRequest = ({ method, uri, headers }) => {
        if (method === 'INVITE') called.set(headers.get('call-id'), /\+\d+/.exec(uri)?.[0] ?? '')
      }
    },
    called: () => [...called.values()],
  }
}

let db: Db
let bench: PlatformBench
let lines: Lines
let desk: CallDesk | undefined
let log: string[]
beforeEach(async () => {
  db = await openPlatformDb()
  log = []
})
afterEach(async () => {
  await desk?.close()
  desk = undefined
  await bench.close()
  await lines.close()
  await db.close()
})

async function open(): Promise<void> {
  bench = await startPlatform(db, {
    carrier: lines.carrier,
    campaigns: () => desk?.campaigns,
    server: { url: 'http://desk/hook', secret: 'a-secret' },
    fetch: async (input, init) =>
      (await desk?.hook(new Request(input, init))) ?? new Response(null, { status: 503 }),
  })
  desk = createCallDesk({
    db,
    platform: bench.client,
    assistantId: 'not-the-campaigns',
    findVisitor: async () => null,
    hookSecrets: ['a-secret'],
    gate: { ...GATE, ownPlatform: true },
    disclosure: 'This is the AI assistant of Heyline.',
    timings: { pollMs: 20, reconcileMs: 20, campaignWaitMs: 20 },
    logger: pino({ level: 'error' }, { write: (line: string) => void log.push(line) }),
  })
  await desk.start()
}

async function create() {
  const { phoneNumberId } = await bench.platform.defaults()
  const { id: assistantId } = await bench.client.assistants.create({ firstMessage: 'Hello.' })
  const customers = NUMBERS.map((number) => ({ number }))
  return await bench.client.campaigns.create({ name: 'Reminders', phoneNumberId, assistantId, customers })
}

const ALL_HAVE_FAILED = `not exists (select from call_desk.call_requests r where r.state not in ('failed', 'ended'))`
/** Of twenty seconds after each round of calls: whoever rested is asked for again. */
const TIME_GOES_BY = `update call_desk.call_requests set created_at = created_at - interval '20 seconds'
  where ${ALL_HAVE_FAILED} and exists (select from call_desk.call_requests r where r.created_at > now() - interval '20 seconds');
  update call_desk.campaign_customers set run_at = now() where request_id is null and ${ALL_HAVE_FAILED}`
const TIME_GOES_ON = 'update call_desk.campaign_customers set run_at = now() where request_id is null'

const FAULTS: [string, () => Promise<Lines>, EndedReason?][] = [
  ['Twilio is not reached', () => twilio('unreachable')],
  ['Twilio has too many requests', () => twilio({ status: 429, code: 20429 })],
  ['Twilio does not accept the account', () => twilio({ status: 401, code: 20003 })],
  ['a SIP trunk is out of service', () => sip(503)],
  [
    'a SIP trunk says nothing',
    () => sip('silent'),
    'call.in-progress.error-sip-outbound-call-failed-to-connect',
  ],
]

it.each(FAULTS)(
  'where %s, nobody of a campaign is used up, and the breaker opens',
  async (_, failing, endedReason) => {
    lines = await failing()
    await open()
    const { id } = await create()
    const office = createCallOffice(db)
    await expect
      .poll(async () => {
        const { breaker } = await office.status()
        if (!breaker) await db.exec(TIME_GOES_BY)
        return breaker?.reason
      }, SOON)
      .toBe('failures')
    expect(log.join('')).toContain('the circuit breaker opened')
    const waiting = () =>
      db.query('select from call_desk.campaign_customers where request_id is null and closed_at is null')
    await expect.poll(async () => (await waiting()).rowCount, SOON).toBe(NUMBERS.length)
    const { status, calls } = await bench.client.campaigns.get(id)
    expect(status).toBe('in-progress')
    expect(Object.values(calls)).toContainEqual(
      expect.objectContaining({ status: 'scheduled', reason: 'platform_400_lines_failed' }),
    )
    // No record tells of the end of a call that was surely not placed.
    const reasons = (await bench.client.calls.list()).map((call) => call.endedReason)
    expect([...new Set(reasons)]).toEqual(endedReason ? [endedReason] : [])

    lines.mend()
    await office.resume()
    await db.exec(TIME_GOES_ON)
    await expect.poll(async () => (await bench.client.campaigns.get(id)).status, SOON).toBe('ended')
    expect(lines.called().toSorted()).toEqual(NUMBERS)
  },
)
