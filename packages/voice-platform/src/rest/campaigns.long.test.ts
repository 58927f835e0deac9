import {
  type CallDesk,
  createCallDesk,
  createCallOffice,
  DEFAULT_GATE,
  SIMULATED_GATE,
} from '@heyline/call-desk'
import type { Db } from '@heyline/database'
import type { CreateCampaign } from '@heyline/platform-client'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Carrier, CarrierEvents, DialRequest } from '../carriers/carrier.js'
import { KEYS, type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'

const logger = pino({ level: 'silent' })
const DISCLOSURE = 'This is the AI assistant of Heyline.'
const SOON = { interval: 15, timeout: 5000 }
const ADA = '+14155552671'
const BOB = '+14155552672'
const LONDON = '+442071838750'
const HOUR_MS = 3_600_000
const HOURS_AGO = new Date(Date.now() - 2 * HOUR_MS)

/** Rings until it is told otherwise. */
class RingingCarrier implements Carrier {
  readonly name = 'scripted'
  readonly dialled: DialRequest[] = []
  #events: CarrierEvents | undefined
  connect(events: CarrierEvents): void {
    this.#events = events
  }
  async dial(request: DialRequest) {
    this.dialled.push(request)
    this.#events?.onRinging(request.callId)
    return { id: `leg-${this.dialled.length}` }
  }
  async hangUp(callId: string): Promise<void> {
    this.#events?.onEnded(callId, 'canceled')
  }
  /** Nobody is there. */
  async end(number: string): Promise<void> {
    await expect.poll(() => this.dialled.some(({ to }) => to === number), SOON).toBe(true)
    for (const { to, callId } of this.dialled) if (to === number) this.#events?.onEnded(callId, 'busy')
  }
  async sendText(): Promise<void> {}
  async close(): Promise<void> {}
}

const carrier = new RingingCarrier()
let db: Db
let bench: PlatformBench
let desk: CallDesk | undefined
let plan: Omit<CreateCampaign, 'customers'>
beforeAll(async () => {
  db = await openPlatformDb()
  bench = await startPlatform(db, {
    carrier,
    campaigns: () => desk?.campaigns,
    server: { url: 'http://desk/hook', secret: 'a-secret' },
    fetch: async (input, init) =>
      (await desk?.hook(new Request(input, init))) ?? new Response(null, { status: 503 }),
  })
  const { phoneNumberId } = await bench.platform.defaults()
  const { id: assistantId } = await bench.client.assistants.create({
    firstMessage: 'Hello {{name}}, here is May.',
    model: {
      provider: 'openai',
      model: 'gpt-4o-mini',
      messages: [{ role: 'system', content: 'You are May.' }],
    },
  })
  plan = { name: 'Reminders', phoneNumberId, assistantId }
})
beforeEach(() => openDesk())
afterEach(async () => {
  await desk?.close()
  desk = undefined
  carrier.dialled.length = 0
  await createCallOffice(db).resume()
  await db.exec(`delete from call_desk.campaigns; delete from call_desk.call_requests; delete from call_desk.do_not_call;
    delete from call_desk.ledger; delete from voice_platform.calls`)
})
afterAll(async () => {
  await bench.close()
  await db.close()
})

async function openDesk(gate = SIMULATED_GATE): Promise<void> {
  await desk?.close()
  desk = createCallDesk({
    db,
    platform: bench.client,
    assistantId: 'not-the-campaigns',
    findVisitor: async () => null,
    hookSecrets: ['a-secret'],
    gate,
    disclosure: DISCLOSURE,
    timings: { pollMs: 20, campaignWaitMs: 20 },
    logger,
  })
  await desk.start()
}

const create = (changes: Partial<CreateCampaign> = {}) =>
  bench.client.campaigns.create({ ...plan, customers: [{ number: ADA }], ...changes })
const read = (id: string) => bench.client.campaigns.get(id)
const ends = (id: string) => expect.poll(async () => (await read(id)).status, SOON).toBe('ended')
const reasons = async (id: string): Promise<unknown> => Object.values((await read(id)).calls)

it('calls each customer once, with the disclosure first, and ends when all are through', async () => {
  const made = await create({
    customers: [
      { number: ADA, name: 'Ada', assistantOverrides: { variableValues: { name: 'Ada' } } },
      { number: BOB, externalId: 'crm-7' },
    ],
  })
  expect(made).toMatchObject({ ...plan, status: 'scheduled', callsCounterScheduled: 2, callsCounterEnded: 0 })
  await carrier.end(BOB)
  await expect
    .poll(() => read(made.id), SOON)
    .toMatchObject({ status: 'in-progress', callsCounterQueued: 1, callsCounterEnded: 1 })
  await carrier.end(ADA)
  await ends(made.id)
  expect(await read(made.id)).toMatchObject({
    endedReason: 'campaign.ended.success',
    customers: [
      { number: ADA, name: 'Ada' },
      { number: BOB, externalId: 'crm-7' },
    ],
    callsCounterScheduled: 0,
    callsCounterQueued: 0,
    callsCounterEnded: 2,
  })
  expect(carrier.dialled.map(({ to }) => to).toSorted()).toEqual([ADA, BOB])
  const calls = await bench.client.calls.list()
  expect(new Set(Object.keys((await read(made.id)).calls))).toEqual(new Set(calls.map(({ id }) => id)))
  const ada = calls.find(({ customer }) => customer?.number === ADA)
  expect(ada).toMatchObject({
    campaignId: made.id,
    assistantId: plan.assistantId,
    phoneNumberId: plan.phoneNumberId,
    customer: { name: 'Ada' },
    assistantOverrides: {
      firstMessage: `${DISCLOSURE} Hello {{name}}, here is May.`,
      firstMessageInterruptionsEnabled: false,
      maxDurationSeconds: 180,
      variableValues: { name: 'Ada' },
    },
  })
  expect(ada?.assistantOverrides?.model).toBeUndefined()
  const { calls: listed } = await createCallOffice(db).list({ limit: 10 })
  expect(listed.map(({ slug, state }) => [slug, state])).toEqual([
    ['(campaign)', 'ended'],
    ['(campaign)', 'ended'],
  ])
})

it('does not call who is on the do-not-call list, and says so', async () => {
  await createCallOffice(db).doNotCall.add([ADA])
  const { id } = await create()
  await ends(id)
  expect(await reasons(id)).toEqual([{ status: 'ended', reason: 'dnc', customer: { number: ADA } }])
  expect(carrier.dialled).toEqual([])
})

describe('under a gate in full force', () => {
  const gate = { ...DEFAULT_GATE, hours: undefined, startLimits: [], prefixLimits: [], countryLimits: [] }

  it('calls no other country, and as many at once as the gate lets pass without the place of a visitor', async () => {
    await openDesk({ ...gate, concurrent: 2 })
    const { id } = await create({
      customers: [{ number: '+442079460958' }, { number: ADA }, { number: BOB }],
    })
    await carrier.end(ADA)
    await carrier.end(BOB)
    await ends(id)
    expect(await reasons(id)).toContainEqual(
      expect.objectContaining({ status: 'ended', reason: 'country_not_allowed' }),
    )
    const { rows } = await db.query<{ apart: boolean }>(
      `select max(created_at) >= min(ended_at) as apart from call_desk.call_requests where state = 'ended'`,
    )
    expect(rows).toEqual([{ apart: true }])
  })

  it('waits while the money of a day is spent', async () => {
    await openDesk({ ...gate, dayBudget: 1 })
    const { id } = await create()
    await expect
      .poll(() => reasons(id), SOON)
      .toEqual([{ status: 'scheduled', reason: 'budget_exhausted', customer: { number: ADA } }])
    await openDesk(gate)
    await carrier.end(ADA)
    await ends(id)
  })

  it.each([
    ['starts', { startLimits: [{ most: 2, windowMs: HOUR_MS }] }, 'limit_starts'],
    ['calls to their country', { countryLimits: [{ most: 2, windowMs: HOUR_MS }] }, 'limit_country'],
    ['money', { dayBudget: 1_600_000 }, 'budget_exhausted'],
  ])('leaves visitors some of the %s', async (_, limit, reason) => {
    await openDesk({ ...gate, ...limit })
    const { id } = await create({ customers: [{ number: ADA }, { number: BOB }] })
    await expect.poll(() => reasons(id), SOON).toContainEqual(expect.objectContaining({ reason }))
    await expect.poll(() => carrier.dialled.length, SOON).toBe(1)
  })

  it('waits where the number was called as often as it may be', async () => {
    await openDesk(gate)
    const first = await create()
    await carrier.end(ADA)
    await ends(first.id)
    const second = await create()
    await expect
      .poll(() => reasons(second.id), SOON)
      .toEqual([{ status: 'scheduled', reason: 'limit_number', customer: { number: ADA } }])
    expect(carrier.dialled).toHaveLength(1)
  })
})

it('calls nobody while calls are paused, and goes on with whom the pause stopped', async () => {
  const office = createCallOffice(db)
  await office.pause()
  const { id } = await create()
  await expect.poll(async () => (await read(id)).status, SOON).toBe('in-progress')
  // As where the pause comes between the gate and the dial.
  await db.exec(`with r as (insert into call_desk.call_requests (phone, slug, body_hash, state, refusal, refused_at)
      values ('${ADA}', '(campaign)', '', 'refused', 'paused', now()) returning id)
    update call_desk.campaign_customers set request_id = r.id from r`)
  await expect
    .poll(() => reasons(id), SOON)
    .toEqual([{ status: 'scheduled', reason: 'paused', customer: { number: ADA } }])
  const waiting = () => db.query('select from call_desk.campaign_customers where request_id is null')
  await expect.poll(async () => (await waiting()).rowCount, SOON).toBe(1)
  expect(carrier.dialled).toEqual([])
  await office.resume()
  await db.exec('update call_desk.campaign_customers set run_at = now() where request_id is null')
  await carrier.end(ADA)
  await ends(id)
})

it('does not begin before its time, may be changed until then, and is over at its last', async () => {
  const earliestAt = new Date(Date.now() + HOUR_MS).toISOString()
  const { id } = await create({ schedulePlan: { earliestAt } })
  const later = { earliestAt, latestAt: new Date(Date.now() + 2 * HOUR_MS).toISOString() }
  expect(await bench.client.campaigns.update(id, { schedulePlan: later })).toMatchObject({
    status: 'scheduled',
    schedulePlan: later,
  })
  await desk?.close()
  expect(await read(id)).toMatchObject({ status: 'scheduled', callsCounterScheduled: 1 })
  // A campaign that slept through its time calls nobody.
  await db.query(
    "update call_desk.campaigns set earliest_at = $1::timestamptz, latest_at = $1::timestamptz + interval '1 hour'",
    [HOURS_AGO],
  )
  await openDesk()
  await ends(id)
  expect(await reasons(id)).toEqual([{ status: 'ended', reason: 'too_late', customer: { number: ADA } }])
  expect(carrier.dialled).toEqual([])
})

it('dials nobody after its last moment, though the call was asked for before', async () => {
  await desk?.close()
  const { id } = await create()
  await db.exec(`with r as (insert into call_desk.call_requests (phone, slug, body_hash, state)
      values ('${ADA}', '(campaign)', '', 'queued') returning id),
    late as (update call_desk.campaigns set state = 'in-progress', latest_at = now())
    update call_desk.campaign_customers set request_id = r.id from r`)
  await openDesk()
  await ends(id)
  expect(await reasons(id)).toEqual([{ status: 'ended', reason: 'too_late', customer: { number: ADA } }])
  expect(carrier.dialled).toEqual([])
})

it('is ended by whoever asks: who waits is not called, and who talks goes on', async () => {
  await openDesk({ ...DEFAULT_GATE, hours: undefined, concurrent: 1 })
  const { id } = await create({ customers: [{ number: ADA }, { number: BOB }] })
  await expect.poll(() => carrier.dialled.length, SOON).toBe(1)
  expect(
    (await bench.request('PATCH', `/campaign/${id}`, { phoneNumberId: plan.phoneNumberId })).status,
  ).toBe(400)
  const ended = await bench.client.campaigns.update(id, { name: 'Over', status: 'ended' })
  expect(ended).toMatchObject({
    name: 'Over',
    status: 'ended',
    endedReason: 'campaign.in-progress.ended-by-user',
    callsCounterQueued: 1,
    callsCounterEnded: 1,
  })
  await carrier.end(ADA)
  await expect.poll(async () => (await read(id)).callsCounterEnded, SOON).toBe(2)
  expect(carrier.dialled.map(({ to }) => to)).toEqual([ADA])
})

it('is listed, filtered and deleted, which ends it', async () => {
  const earliestAt = new Date(Date.now() + HOUR_MS).toISOString()
  const one = await create({ schedulePlan: { earliestAt } })
  const other = await create({ name: 'Other', schedulePlan: { earliestAt } })
  const { campaigns } = bench.client
  expect((await campaigns.list({ limit: 1 })).map(({ id }) => id)).toEqual([other.id])
  expect(await campaigns.listPage({ sortOrder: 'ASC', limit: 1, page: 2 })).toEqual({
    results: [other],
    metadata: expect.objectContaining({ totalItems: 2, currentPage: 2, hasNextPage: false }),
  })
  expect((await campaigns.listPage({ status: 'ended' })).results).toEqual([])
  expect((await campaigns.listPage({ id: one.id, status: 'scheduled' })).results).toEqual([one])
  expect(await campaigns.delete(one.id)).toMatchObject({
    status: 'ended',
    endedReason: 'campaign.scheduled.ended-by-user',
    callsCounterEnded: 1,
  })
  expect((await bench.request('GET', `/campaign/${one.id}`)).status).toBe(404)
})

it('stores the one spelling of a number, by which its person is found', async () => {
  const earliestAt = new Date(Date.now() + HOUR_MS).toISOString()
  const customers = [{ number: '+4402071838750' }]
  await bench.client.campaigns.create({ ...plan, customers, schedulePlan: { earliestAt } })
  const { rows } = await db.query('select phone from call_desk.campaign_customers')
  expect(rows).toEqual([{ phone: LONDON }])
})

it.each<[string, object, number]>([
  ['nobody to call', { customers: [] }, 400],
  [
    'too many',
    { customers: Array.from({ length: 1001 }, (_, place) => ({ number: `+1415555${1000 + place}` })) },
    400,
  ],
  ['somebody twice', { customers: [{ number: ADA }, { number: ADA }] }, 400],
  [
    'somebody twice, spelled differently',
    { customers: [{ number: LONDON }, { number: '+4402071838750' }] },
    400,
  ],
  ['no number', { customers: [{ number: 'Ada' }] }, 400],
  [
    'words in place of the disclosure',
    { customers: [{ number: ADA, assistantOverrides: { firstMessage: 'Hi' } }] },
    400,
  ],
  ['a number that is not ours', { phoneNumberId: '00000000-0000-4000-8000-000000000000' }, 400],
  ['an assistant that is none', { assistantId: '00000000-0000-4000-8000-000000000000' }, 400],
  ['no assistant', { assistantId: undefined }, 400],
  ['a workflow', { workflowId: '00000000-0000-4000-8000-000000000000' }, 422],
  ['an extension', { customers: [{ number: ADA, extension: '12' }] }, 422],
  ['a SIP address alone', { customers: [{ sipUri: 'sip:ada@example.com' }] }, 422],
  ['an end before now', { schedulePlan: { earliestAt: '2020-01-01', latestAt: '2020-01-02' } }, 400],
])('is refused in words with %s', async (_, changes, status) => {
  const refused = await bench.request('POST', '/campaign', {
    ...plan,
    customers: [{ number: ADA }],
    ...changes,
  })
  expect([refused.status, (await refused.json()).message]).toEqual([status, expect.anything()])
  expect(await bench.client.campaigns.list()).toEqual([])
})

it('is nothing for the public key, and is refused in words without a desk', async () => {
  expect((await bench.request('POST', '/campaign', {}, KEYS.public)).status).toBe(401)
  await desk?.close()
  desk = undefined
  const refused = await bench.request('GET', '/campaign')
  expect(refused.status).toBe(422)
  expect((await refused.json()).message).toContain('it needs the call desk')
})
