import type { Db } from '@heyline/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CAMPAIGN_SLUG } from '../call/campaign-slug.js'
import { UNHEARD } from '../call/lines-failed.js'
import { outcomeOf } from '../call/outcome.js'
import { openDeskDb } from '../testing/desk.js'
import { clearDesk } from '../testing/gate-desk.js'
import { checkBreaker } from './breaker.js'
import { DEFAULT_GATE, type GateSettings, SIMULATED_GATE } from './gate-settings.js'
import { readSwitches, resumeCalls } from './switches.js'

let db: Db
beforeAll(async () => {
  db = await openDeskDb()
})
afterAll(() => db.close())
beforeEach(() => clearDesk(db))

const check = (settings: GateSettings = DEFAULT_GATE) => db.transaction((tx) => checkBreaker(tx, settings))

interface Call {
  state?: string
  outcome?: string
  refusal?: string
  endedReason?: string
  lastError?: string
  /** Before now. */
  age?: string
  network?: string
  /** A page for each call where none is named. */
  slug?: string
  phone?: string
}

async function insert(
  count: number,
  { state = 'ended', outcome, refusal, endedReason, lastError, age = '0 s', network, slug, phone }: Call,
): Promise<void> {
  await db.query(
    `insert into call_desk.call_requests (phone, slug, body_hash, state, outcome, refusal, created_at, updated_at, ended_at, network,
       ended_reason, last_error)
     select coalesce($10, '+1415' || lpad((random() * 9999999)::int::text, 7, '0')), coalesce($9, gen_random_uuid()::text), '', $2, $3, $4, t, t,
       case when $2 <> 'queued' then t end, $6, $7, $8
     from generate_series(1, $1::int), lateral (select now() - $5::interval as t) past`,
    [count, state, outcome, refusal, age, network, endedReason, lastError, slug, phone],
  )
}

/** Money of a call of this network; without one, of a call whose row is gone. */
const spend = (amount: number, age: string, network?: string) =>
  db.query(
    `with request as (
       insert into call_desk.call_requests (phone, slug, body_hash, state, outcome, created_at, updated_at, ended_at, network)
       select '+14155552671', 'acme', '', 'ended', 'completed', t, t, t, $3::text
       from (select now() - $2::interval as t) past where $3 is not null
       returning id)
     insert into call_desk.ledger values (coalesce((select id from request), gen_random_uuid()), now() - $2::interval, $1)`,
    [amount, age, network],
  )

const REFUSED_BY_LINES: Call = { state: 'failed', lastError: 'platform_400_lines_failed: no way' }
const UNHEARD_CALL: Call = { endedReason: UNHEARD, outcome: outcomeOf(UNHEARD) }

describe('of failures', () => {
  it.each<[string, Call]>([
    ['failed', { state: 'failed' }],
    ['unknown', { state: 'unknown' }],
    ['ended by a fault of a provider', { outcome: 'provider_fault' }],
    ['ended by a fault of the platform', { outcome: 'platform_fault' }],
  ])('opens when half of five calls or more are %s', async (_, bad) => {
    await insert(2, bad)
    await insert(3, { outcome: 'completed' })
    expect(await check()).toBeUndefined()
    await insert(1, bad)
    expect(await check()).toBe('failures')
    expect(await readSwitches(db)).toMatchObject({ breakerReason: 'failures' })
    expect(await check()).toBeUndefined()
  })

  it('opens for no campaign whose assistant is gone, but for one whose lines fail', async () => {
    const failed = { state: 'failed', slug: CAMPAIGN_SLUG }
    await insert(9, { ...failed, lastError: 'platform_400_bad_request: the assistant does not exist' })
    expect(await check()).toBeUndefined()
    await insert(5, { ...failed, lastError: 'platform_unreachable: no connection to the platform' })
    expect(await check()).toBe('failures')
  })

  it.each<[string, number, Call]>([
    ['few', 0, REFUSED_BY_LINES],
    ['many', 9, REFUSED_BY_LINES],
    ['few', 0, UNHEARD_CALL],
    ['many', 9, UNHEARD_CALL],
  ])(
    'opens for no moment in which a campaign’s lines fail, but where they go on failing, with %s pages of visitors',
    async (_, pages, call) => {
      await insert(pages, { outcome: 'completed', age: '1 hour' })
      const failed = { ...call, slug: CAMPAIGN_SLUG }
      // Steps of 20 seconds: what is asked for at a moment lies in two of them at most.
      for (const seconds of [0, 1]) await insert(9, { ...failed, age: `${seconds} s` })
      expect(await check()).toBeUndefined()
      for (const seconds of [25, 45, 65, 85]) await insert(9, { ...failed, age: `${seconds} s` })
      expect(await check()).toBe('failures')
    },
  )

  it('looks at no calls in the browser', async () => {
    await db.exec(`insert into call_desk.call_requests (kind, slug, body_hash, state, outcome, ended_at)
      select 'web', 'acme', '', 'ended', o, now() from generate_series(1, 5), unnest(array['platform_fault', 'max_duration']) o`)
    expect(await check()).toBeUndefined()
  })

  it('looks at no fewer than five calls', async () => {
    await insert(4, { state: 'failed' })
    expect(await check()).toBeUndefined()
    await insert(1, { state: 'queued' })
    expect(await check()).toBe('failures')
  })

  it('looks no further back than its window', async () => {
    await insert(9, { state: 'failed', age: '2 minutes' })
    expect(await check()).toBeUndefined()
    await insert(5, { state: 'failed', age: '1 minute 59 seconds' })
    expect(await check()).toBe('failures')
  })

  const failing = (network: string, slug: string, phone: string) =>
    insert(1, { outcome: 'provider_fault', network: `10.0.${network}.0/24`, slug, phone: `+1415555${phone}` })

  it('counts those of one page once, from however many networks and to however many numbers', async () => {
    for (const slug of ['a', 'b', 'c', 'd', 'e'])
      await insert(1, { outcome: 'completed', slug, age: '1 day' })
    for (const line of [11, 12, 13, 14, 15, 16]) await failing(`${line}`, 'acme', `00${line}`)
    await insert(2, { state: 'failed' })
    expect(await check()).toBeUndefined()
    await insert(2, { outcome: 'completed' })
    expect(await check()).toBe('failures')
  })

  it('counts those to one number once, from however many pages', async () => {
    for (const line of [11, 12, 13, 14, 15, 16])
      await failing(`${line}`, `page-${line}`, `00${(line % 2) + 1}0`)
    await insert(2, { state: 'failed' })
    expect(await check()).toBeUndefined()
    await insert(1, { state: 'failed' })
    expect(await check()).toBe('failures')
  })

  it('stays closed where most networks came through, on however few pages', async () => {
    await insert(3, { state: 'failed' })
    await insert(4, { outcome: 'completed', slug: 'acme' })
    await insert(1, { state: 'queued' })
    expect(await check()).toBeUndefined()
    await insert(1, { state: 'failed' })
    expect(await check()).toBe('failures')
  })

  it('takes no call for one that came through which wrong settings ended', async () => {
    await insert(3, { state: 'failed' })
    await insert(5, { outcome: 'caller_config', slug: 'acme' })
    expect(await check()).toBeUndefined()
    await insert(1, { state: 'failed' })
    expect(await check()).toBe('failures')
  })

  it('counts numbers and networks alone where there are too few pages, and opens where no call came through', async () => {
    for (const line of [11, 12, 13, 14]) await failing(`${line}`, 'acme', `00${line}`)
    await failing('15', 'acme', '0011')
    expect(await check()).toBeUndefined()
    await insert(1, { outcome: 'completed', network: '10.0.16.0/24', slug: 'acme' })
    expect(await check()).toBeUndefined()
    await insert(1, { state: 'queued', network: '10.0.16.0/24', slug: 'acme' })
    expect(await check()).toBe('failures')
  })

  it('counts nothing that the gate refused', async () => {
    await insert(9, { state: 'refused', refusal: 'dnc' })
    await insert(9, { state: 'failed', refusal: 'paused' })
    expect(await check()).toBeUndefined()
  })

  it('judges after a resume only what came since', async () => {
    await insert(5, { state: 'failed', age: '1 second' })
    expect(await check()).toBe('failures')
    await resumeCalls(db)
    expect(await check()).toBeUndefined()
    await insert(5, { state: 'failed', age: '-1 second' })
    expect(await check()).toBe('failures')
  })
})

describe('an end of our own', () => {
  const SHUTDOWN = { outcome: outcomeOf('worker-shutdown'), endedReason: 'worker-shutdown' }
  const own = { ...DEFAULT_GATE, ownPlatform: true }

  it.each<[string, Call]>([
    ['a call of a process that stopped, or was found gone', SHUTDOWN],
    [
      'a call that a killed process was placing',
      { state: 'unknown', lastError: 'worker_lost: it went away' },
    ],
    ['one of those that surely was not placed', { state: 'failed', lastError: 'worker_lost: it went away' }],
    [
      'a request that no process was there for',
      { state: 'failed', lastError: 'expired: nothing was dialled' },
    ],
    [
      'a request that an outage of the database kept from being dialled',
      { state: 'failed', lastError: 'outage: the database was away' },
    ],
    [
      'a call that no process of the platform could place then',
      { state: 'failed', lastError: 'platform_429_too_many_requests: The address is taken.' },
    ],
  ])('opens nothing: %s', async (_, ended) => {
    await insert(5, ended)
    expect(await check(own)).toBeUndefined()
  })

  it.each<[string, Call]>([
    ['workers', SHUTDOWN],
    ['limits', { state: 'failed', lastError: 'platform_429_http_429: Too many' }],
  ])('counts at a hosted platform, whose %s are none of ours', async (_, ended) => {
    await insert(5, ended)
    expect(await check()).toBe('failures')
  })

  it('hides no fault', async () => {
    await insert(20, SHUTDOWN)
    await insert(5, { outcome: 'provider_fault' })
    expect(await check(own)).toBe('failures')
  })
})

describe('of longest calls', () => {
  it('opens at the third within ten minutes', async () => {
    await insert(9, { outcome: 'max_duration', age: '10 minutes' })
    await insert(2, { outcome: 'max_duration', age: '9 minutes 59 seconds' })
    expect(await check()).toBeUndefined()
    await insert(1, { outcome: 'max_duration' })
    expect(await check()).toBe('longest')
  })

  it('counts those of one page, and those of one network, once', async () => {
    const outcome = 'max_duration'
    for (const network of ['203.0.113.0/24', '198.51.100.0/24', '192.0.2.0/24'])
      await insert(1, { outcome, network, slug: 'acme' })
    await insert(5, { outcome, network: '192.0.2.0/24', slug: 'sample-bakery' })
    await insert(1, { outcome: 'completed', slug: 'sample-dentist', age: '1 day' })
    expect(await check()).toBeUndefined()
    await insert(1, { outcome, slug: 'sample-dentist' })
    expect(await check()).toBe('longest')
  })

  it('counts each number and network once where there are too few pages', async () => {
    const outcome = 'max_duration'
    const to = (phone: string, network: string, slug: string) =>
      insert(1, { outcome, phone, network, slug, age: '1 minute' })
    await to('+12025550101', '203.0.113.0/24', 'acme')
    await to('+12025550101', '198.51.100.0/24', 'acme')
    await to('+12025550102', '192.0.2.0/24', 'acme')
    await to('+12025550103', '192.0.2.0/24', 'sample-bakery')
    expect(await check()).toBe('longest')
    await clearDesk(db)
    for (const network of ['203.0.113.0/24', '198.51.100.0/24', '192.0.2.0/24'])
      await to('+12025550101', network, 'acme')
    for (const phone of ['+12025550102', '+12025550103']) await to(phone, '192.0.2.0/24', 'sample-bakery')
    expect(await check()).toBe('longest')
    await clearDesk(db)
    for (const network of ['203.0.113.0/24', '198.51.100.0/24', '192.0.2.0/24'])
      await to('+12025550101', network, 'acme')
    await to('+12025550102', '192.0.2.0/24', 'sample-bakery')
    expect(await check()).toBeUndefined()
  })

  it('counts pages again as soon as the latest calls went to enough of them', async () => {
    const lasting = { outcome: 'max_duration', slug: 'acme' }
    for (const network of ['203.0.113.0/24', '198.51.100.0/24', '192.0.2.0/24'])
      await insert(1, { ...lasting, network })
    await insert(2, { outcome: 'completed', age: '1 day' })
    expect(await check()).toBeUndefined()
    await insert(1000, { outcome: 'completed', slug: 'acme', age: '1 hour' })
    expect(await check()).toBe('longest')
  })
})

describe('of money', () => {
  const week = async (each: number) => {
    for (let day = 1; day <= 8; day++) await spend(each, `${day} days`)
  }

  it('opens when a day costs more than three times the mean of the seven before', async () => {
    // Seven days at 2 $ lie in the week before: the eighth day is only the proof that there is history.
    await week(2_000_000)
    await spend(6_000_000, '1 hour')
    expect(await check()).toBeUndefined()
    await spend(1, '0 s')
    expect(await check()).toBe('spend')
  })

  it('takes the true cost where it is known', async () => {
    await week(1_000_000)
    await spend(9_000_000, '1 hour')
    await db.exec("update call_desk.ledger set spent = 3000000 where at > now() - interval '1 day'")
    expect(await check()).toBeUndefined()
  })

  it('needs seven days of history', async () => {
    await spend(1, '7 days 23 hours')
    await spend(9_000_000, '1 hour')
    expect(await check()).toBeUndefined()
    await spend(0, '8 days')
    expect(await check()).toBe('spend')
  })

  it('lets half of the day budget be spent after a quiet week', async () => {
    await week(1)
    await spend(5_000_000, '1 hour')
    expect(await check()).toBeUndefined()
    await spend(1, '1 hour')
    expect(await check()).toBe('spend')
  })

  it('lets one call be made after a quiet week, however small the budget is', async () => {
    const small = { ...DEFAULT_GATE, dayBudget: 1_000_000 }
    await week(1)
    await spend(750_000, '1 hour')
    expect(await check(small)).toBeUndefined()
    await spend(1, '1 hour')
    expect(await check(small)).toBe('spend')
  })

  it('leaves out the network that spent most, so that it opens nothing with one more call of another', async () => {
    await week(1)
    for (const minutes of [1, 2]) await spend(2_500_000, `${minutes} minutes`, '2001:db8:1::/48')
    await spend(4_250_000, '1 hour', '10.0.0.0/24')
    await spend(750_000, '0 s')
    expect(await check()).toBeUndefined()
    await spend(1, '0 s', '10.0.1.0/24')
    expect(await check()).toBe('spend')
  })

  it('leaves out the transfers of that network’s calls too', async () => {
    await week(1)
    await spend(4_000_000, '1 hour', '10.0.0.0/24')
    await db.query(
      `insert into call_desk.ledger (request_id, at, reserved, transfer_of)
       select gen_random_uuid(), now(), 4000000, id from call_desk.call_requests where network = '10.0.0.0/24'`,
    )
    await spend(1_500_000, '0 s', '10.0.1.0/24')
    expect(await check()).toBeUndefined()
  })

  it.each(['unknown', '127.0.0.0/24', '::/48'])(
    'leaves out nothing of clients that are not told apart: %s',
    async (network) => {
      await week(1)
      await spend(5_000_001, '1 hour', network)
      expect(await check()).toBe('spend')
    },
  )
})

describe('a call to us', () => {
  const comeIn = () =>
    db.exec('update call_desk.call_requests set inbound = true; update call_desk.ledger set inbound = true')

  it('opens it neither by failures nor by longest calls, however many they are', async () => {
    await insert(20, { state: 'failed' })
    await insert(20, { outcome: 'max_duration' })
    await comeIn()
    expect(await check()).toBeUndefined()
    await insert(2, { state: 'failed' })
    await insert(2, { outcome: 'max_duration' })
    expect(await check()).toBeUndefined()
  })

  it('hides no failures of ours', async () => {
    await insert(20, { outcome: 'completed' })
    await comeIn()
    await insert(5, { state: 'failed' })
    expect(await check()).toBe('failures')
  })

  it('counts neither as money of the day nor of the week', async () => {
    for (let day = 2; day <= 8; day++) await spend(9_000_000, `${day} days`)
    await spend(9_000_000, '1 hour')
    await comeIn()
    for (let day = 1; day <= 8; day++) await spend(2_000_000, `${day} days`)
    await spend(6_000_000, '1 hour')
    expect(await check()).toBeUndefined()
    await spend(1, '0 s')
    expect(await check()).toBe('spend')
  })
})

describe('a campaign', () => {
  const ofCampaign = { slug: CAMPAIGN_SLUG, outcome: 'max_duration' }

  it('opens it neither by longest calls nor by its money, however much that is', async () => {
    await insert(9, ofCampaign)
    await db.query(
      `insert into call_desk.ledger (request_id, at, reserved)
       select id, now(), 1000000 from call_desk.call_requests
       union all select gen_random_uuid(), now() - interval '8 days', 0`,
    )
    expect(await check()).toBeUndefined()
    await db.query("update call_desk.call_requests set slug = 'acme'")
    expect(await check()).toBe('longest')
    await clearDesk(db)
    await insert(6, { ...ofCampaign, outcome: 'completed', slug: 'acme' })
    await db.query(
      `insert into call_desk.ledger (request_id, at, reserved)
       select id, now(), 1000000 from call_desk.call_requests
       union all select gen_random_uuid(), now() - interval '8 days', 0`,
    )
    expect(await check()).toBe('spend')
  })

  it('hides no pages of the visitors who were called before it', async () => {
    for (const slug of ['sample-bakery', 'sample-dentist'])
      await insert(1, { outcome: 'completed', slug, age: '1 hour' })
    await insert(3, { outcome: 'max_duration', slug: 'acme', age: '1 minute' })
    await insert(1000, { ...ofCampaign, outcome: 'completed' })
    expect(await check()).toBeUndefined()
  })
})

describe('one network', () => {
  const NETWORK = '2001:db8:1::/48'

  it('opens it neither by failures nor by longest calls, however many they are', async () => {
    await insert(20, { state: 'failed', network: NETWORK })
    await insert(20, { outcome: 'max_duration', network: NETWORK })
    expect(await check()).toBeUndefined()
  })

  it('counts once among others, with its newest call', async () => {
    for (let place = 0; place < 4; place++)
      await insert(2, { state: 'failed', network: `10.0.${place}.0/24` })
    await insert(9, { state: 'failed', network: NETWORK, age: '2 s' })
    await insert(1, { outcome: 'completed', network: NETWORK, age: '1 s' })
    await db.exec("update call_desk.call_requests set state = 'queued' where network = '10.0.0.0/24'")
    await db.exec("update call_desk.call_requests set state = 'queued' where network = '10.0.1.0/24'")
    expect(await check()).toBeUndefined()
    await insert(1, { state: 'failed', network: NETWORK })
    expect(await check()).toBe('failures')
  })

  it('counts once among longest calls', async () => {
    for (let place = 0; place < 2; place++)
      await insert(3, { outcome: 'max_duration', network: `10.0.${place}.0/24` })
    expect(await check()).toBeUndefined()
    await insert(1, { outcome: 'max_duration', network: NETWORK })
    expect(await check()).toBe('longest')
  })

  it.each(['unknown', '127.0.0.0/24', '::/48'])(
    'that tells nobody apart counts with each call: %s',
    async (network) => {
      await insert(5, { state: 'failed', network })
      expect(await check()).toBe('failures')
    },
  )
})

describe('a breaker that is off', () => {
  it.each([
    ['simulated calls', SIMULATED_GATE],
    [
      'no rules',
      { ...DEFAULT_GATE, breaker: { failures: undefined, longest: undefined, spendFactor: undefined } },
    ],
  ])('stays closed: %s', async (_, settings) => {
    await insert(9, { state: 'failed' })
    await insert(9, { outcome: 'max_duration' })
    expect(await check(settings)).toBeUndefined()
  })

  it('asks each rule by itself', async () => {
    await insert(9, { state: 'failed' })
    const { breaker } = DEFAULT_GATE
    expect(await check({ ...DEFAULT_GATE, breaker: { ...breaker, failures: undefined } })).toBeUndefined()
    expect(await check()).toBe('failures')
  })
})
