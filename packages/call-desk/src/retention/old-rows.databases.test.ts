import type { Db } from '@heyline/database'
import { DATABASES, leapDate } from '@heyline/database/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { UNCONFIRMED } from '../call/unconfirmed.js'
import { DEFAULT_GATE } from '../gate/gate-settings.js'
import { createCallOffice } from '../records/call-office.js'
import { deskOf } from '../testing/desk.js'
import { ask, clearDesk, endCalls, openGate } from '../testing/gate-desk.js'
import { readWebFacts, webFactsStatement } from '../web-calls/web-facts.js'
import { DEFAULT_WEB_GATE } from '../web-calls/web-gate-settings.js'
import {
  cleanUp,
  forgetAddresses,
  forgetAudit,
  forgetCampaigns,
  forgetRecords,
  forgetRefused,
  forgetTranscripts,
  forgetUnconfirmed,
  reuseSpace,
} from './old-rows.js'
import { Retention } from './retention.js'

describe.each(DATABASES)('old rows on $name', ({ open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())
  beforeEach(async () => {
    await clearDesk(db)
    await db.exec('delete from call_desk.inbox')
  })

  /** Requests of so many days ago; `cost_microusd` says how many. */
  const store = (days: number[], columns: Record<string, string> = {}, times = 1) => {
    const values = { state: "'ended'", phone: "'+14155552671'", slug: "'acme'", ...columns }
    return db.exec(
      `insert into call_desk.call_requests (body_hash, cost_microusd, created_at, ${Object.keys(values)})
       select 'hash', days, now() - days * interval '1 day', ${Object.values(values)}
       from (values ${days.map((day) => `(${day})`)}) as calls (days), generate_series(1, ${times})`,
    )
  }
  const daysOf = async (condition = 'true') => {
    const { rows } = await db.query<{ days: number }>(
      `select cost_microusd::int as days from call_desk.call_requests where ${condition} order by 1`,
    )
    return rows.map(({ days }) => days)
  }
  const totals = async () =>
    (await db.query('select slug, kind, calls from call_desk.slug_totals order by 1, 2')).rows

  it('lose what was said, and keep what they were', async () => {
    await store([89, 91], { outcome: "'completed'", transcript: "'User: Hello.'", summary: "'A greeting.'" })
    expect(await forgetTranscripts(db, 90)).toBe(1)
    expect(await daysOf('transcript is null and summary is null')).toEqual([91])
    expect(await daysOf("outcome = 'completed'")).toEqual([89, 91])
    expect(await forgetTranscripts(db, 90)).toBe(0)
  })

  it('lose the addresses of their clients', async () => {
    await store([29, 31], { address: "'192.0.2.1'", network: "'192.0.2.0/24'" })
    expect(await forgetAddresses(db, 30)).toBe(1)
    expect(await daysOf('address is null and network is null')).toEqual([31])
    expect(await forgetAddresses(db, 30)).toBe(0)
  })

  it('go a few hundred at a time, and no more of them once the server closes', async () => {
    await store([31], { state: "'refused'", refusal: "'dnc'" }, 1_200)
    const closing = new AbortController()
    const watched: Db = Object.assign(Object.create(db), {
      query: async (...asked: Parameters<Db['query']>) => {
        closing.abort()
        return await db.query(...asked)
      },
    })
    expect(await forgetRefused(watched, 30, closing.signal)).toBe(500)
    expect(await forgetRefused(db, 30, closing.signal)).toBe(0)
    expect(await forgetRefused(db, 30)).toBe(700)
  })

  it('that were refused go before the others', async () => {
    await store([29, 31], { state: "'refused'", refusal: "'dnc'" })
    await store([31])
    expect(await forgetRefused(db, 30)).toBe(1)
    expect(await daysOf()).toEqual([29, 31])
  })

  it('that came in and that nobody has confirmed go as soon, with their money', async () => {
    const unconfirmed = { inbound: 'true', ended_reason: `'${UNCONFIRMED}'` }
    await store([29, 31], unconfirmed)
    await store([32], { ...unconfirmed, in_progress_at: 'now()' })
    await store([33], { inbound: 'true', ended_reason: "'customer-ended-call'" })
    await db.exec(`insert into call_desk.ledger (request_id, at, reserved, spent)
      select id, created_at, 1, 0 from call_desk.call_requests`)
    expect(await forgetUnconfirmed(db, 30)).toBe(1)
    expect(await daysOf()).toEqual([29, 32, 33])
    expect((await db.query('select from call_desk.ledger')).rowCount).toBe(3)
  })

  it('that are over go with their money, and others stay', async () => {
    await store([364, 366])
    await store([400], { state: "'refused'", refusal: "'dnc'" })
    await store([500], { state: "'dialling'" })
    await db.exec(`insert into call_desk.ledger (request_id, at, reserved)
      select id, created_at, 1 from call_desk.call_requests`)
    expect(await forgetRecords(db, 365)).toBe(1)
    expect(await daysOf()).toEqual([364, 400, 500])
    expect((await db.query('select from call_desk.ledger')).rows).toHaveLength(1)
  })

  it('go in small parts, and of two processes at once each call is counted once', async () => {
    await store([366], {}, 700)
    const [one, other] = await Promise.all([forgetRecords(db, 365), forgetRecords(db, 365)])
    expect(one + other).toBe(700)
    expect(await totals()).toEqual([{ slug: 'acme', kind: 'phone', calls: 700 }])
  })

  it('stay for ever where a limit counts for ever', async () => {
    await store([3_000], { address: "'192.0.2.1'" })
    expect(await forgetRecords(db, Number.POSITIVE_INFINITY)).toBe(0)
    expect(await forgetAddresses(db, Number.POSITIVE_INFINITY)).toBe(0)
    expect(await daysOf('address is not null')).toEqual([3_000])
  })

  it('are counted by the slug that they were admitted under, whatever a note named them later', async () => {
    await store([400], { kind: "'web'", phone: 'null', admitted_slug: "''" })
    await forgetRecords(db, 365)
    expect(await totals()).toEqual([{ slug: '', kind: 'web', calls: 1 }])
  })

  it('are counted by the lifetime limit of a visitor after they went', async () => {
    const gate = { ...openGate, slugLimits: [{ most: 3, windowMs: Number.POSITIVE_INFINITY }] }
    const desk = deskOf(db, 'http://127.0.0.1:1', { gate })
    await store([400, 500])
    await store([450], { state: "'refused'", refusal: "'dnc'" })
    await forgetRecords(db, 365)
    await forgetRefused(db, 30)
    expect([await daysOf(), await totals()]).toEqual([[], [{ slug: 'acme', kind: 'phone', calls: 2 }]])
    expect((await ask(desk)).status).toBe(202)
    await endCalls(db)
    expect((await ask(desk, { phone: '+14155552672' })).status).toBe(403)
    expect(await daysOf("refusal = 'limit_slug'")).toHaveLength(1)
    await createCallOffice(db).resetSlug('ACME')
    expect(await totals()).toEqual([])
    expect((await ask(desk, { phone: '+14155552673' })).status).toBe(202)
  })

  it('that came in are not counted by the lifetime limit of a visitor', async () => {
    await store([400])
    await store([400], { inbound: 'true' }, 2)
    expect(await forgetRecords(db, 365)).toBe(3)
    expect(await totals()).toEqual([{ slug: 'acme', kind: 'phone', calls: 1 }])
  })

  it('of the browser are counted apart from those of the telephone', async () => {
    const ever = [{ most: 9, windowMs: Number.POSITIVE_INFINITY }]
    const statement = webFactsStatement({ ...DEFAULT_WEB_GATE, slugLimits: ever })
    const counted = async () =>
      (await readWebFacts(db, statement, { slug: 'acme', client: undefined })).counts.slugLimits
    await store([400], { kind: "'web'", phone: 'null' }, 2)
    // Nobody joined.
    await store([400], { kind: "'web'", phone: 'null', outcome: "'silence'" })
    await store([400])
    expect(await counted()).toEqual([2])
    await forgetRecords(db, 365)
    expect(await totals()).toEqual([
      { slug: 'acme', kind: 'phone', calls: 1 },
      { slug: 'acme', kind: 'web', calls: 2 },
    ])
    expect(await counted()).toEqual([2])
  })

  it('from before a reset are not counted, and a reset finds a visitor whose calls all went', async () => {
    await store([400])
    await forgetRecords(db, 365)
    expect(await createCallOffice(db).resetSlug('acme')).toEqual({ slug: 'acme' })
    await store([500])
    await forgetRecords(db, 365)
    expect(await totals()).toEqual([])
  })

  it('of the audit go', async () => {
    await db.exec(`insert into call_desk.audit (action, at) values
      ('calls_paused', now() - interval '366 days'), ('calls_resumed', now() - interval '364 days')`)
    expect(await forgetAudit(db, 365)).toBe(1)
    expect((await db.query('select action from call_desk.audit')).rows).toEqual([{ action: 'calls_resumed' }])
  })

  it('of campaigns go with their customers once they have ended', async () => {
    await db.exec(`delete from call_desk.campaigns;
      with made as (
        insert into call_desk.campaigns (name, assistant_id, phone_number_id, state, updated_at)
        select name, 'assistant', 'number', state, now() - days * interval '1 day'
        from (values ('old', 'ended', 366), ('new', 'ended', 364), ('open', 'in-progress', 366)) of_all (name, state, days) returning id)
      insert into call_desk.campaign_customers (campaign_id, position, phone, customer, run_at)
        select id, 1, '+14155552671', '{}', now() from made`)
    expect(await forgetCampaigns(db, 365)).toBe(1)
    const { rows } = await db.query<{ name: string }>(
      `select c.name from call_desk.campaigns c join call_desk.campaign_customers cc on cc.campaign_id = c.id order by 1`,
    )
    expect(rows.map(({ name }) => name)).toEqual(['new', 'open'])
    expect((await db.query('select from call_desk.campaign_customers')).rowCount).toBe(2)
  })

  it('of the inbox go after a week or, given up, after a month; used checks after a day, ids of erased calls after a week, and counts of refused calls to us after a month', async () => {
    await db.exec(`
      insert into call_desk.used_checks values ('old', now() - interval '25 hours'), ('new', now());
      insert into call_desk.forgotten_calls values ('old', now() - interval '8 days'), ('new', now() - interval '6 days');
      insert into call_desk.incoming_refusals values (now() - interval '33 days', 'paused', 1), (now() - interval '31 days', 'ended', 1);
      insert into call_desk.erasures (id, kind, erased_at) values ('old', 'slug', now() - interval '25 hours'), ('new', 'slug', now() - interval '23 hours');
      insert into call_desk.inbox (id, done_at, run_at, received_at) values
        ('old', now() - interval '8 days', now(), now() - interval '8 days'),
        ('new', now() - interval '6 days', now(), now() - interval '6 days'),
        ('given up long ago', null, 'infinity', now() - interval '31 days'),
        ('given up', null, 'infinity', now() - interval '29 days'),
        ('waiting', null, now(), now() - interval '31 days')`)
    await cleanUp(db)
    const { rows } = await db.query('select id from call_desk.inbox order by id')
    expect(rows).toEqual([{ id: 'given up' }, { id: 'new' }, { id: 'waiting' }])
    for (const table of ['used_checks', 'forgotten_calls', 'erasures'])
      expect((await db.query(`select id from call_desk.${table}`)).rows).toEqual([{ id: 'new' }])
    const counts = await db.query('select refusal from call_desk.incoming_refusals')
    expect(counts.rows).toEqual([{ refusal: 'ended' }])
  })

  it('leave their space to new ones', async () => {
    const size = async () => {
      const { rows } = await db.query<{ size: number }>(
        "select pg_relation_size('call_desk.call_requests')::int as size",
      )
      return rows[0]?.size ?? 0
    }
    const round = async () => {
      await store([366], { transcript: "repeat('x', 1000)" }, 400)
      await forgetRecords(db, 365)
      // A Postgres has somebody who does it, though not at once.
      if (db.kind === 'postgres') await db.exec('vacuum call_desk.call_requests')
      await reuseSpace(db)
    }
    await round()
    const once = await size()
    for (let time = 0; time < 4; time++) await round()
    expect(await size()).toBeLessThanOrEqual(once * 1.5)
  })

  it('are found by an index, each kind', async () => {
    await store([1, 400], { address: "'192.0.2.1'", transcript: "'Hi.'" }, 50)
    await store([1], { state: "'refused'", refusal: "'dnc'" }, 50)
    for (const condition of [
      'address is not null or network is not null',
      'transcript is not null or summary is not null',
      "state = 'refused'",
      "state in ('ended', 'failed', 'unknown') and hang_up_at is null",
    ]) {
      const plan = await db.transaction(async (tx) => {
        // So few rows are read whole, unless that costs much.
        await tx.query('set local enable_seqscan = off')
        const { rows } = await tx.query(
          `explain select id from call_desk.call_requests where (${condition}) and created_at < now() - interval '395 days'
           order by created_at limit 500 for update skip locked`,
        )
        return JSON.stringify(rows)
      })
      expect(plan, condition).toMatch(/Index Scan/)
    }
  })

  it('stay while the date is doubted, and go a day later', async () => {
    await store([1, 400])
    const logger = pino({ level: 'silent' })
    const retention = new Retention({ db, gate: DEFAULT_GATE, webGate: DEFAULT_WEB_GATE, logger })
    await leapDate(db, 400)
    await retention.run()
    expect(await daysOf()).toEqual([1, 400])
    await leapDate(db, 1)
    await retention.run()
    expect(await daysOf()).toEqual([1])
    await retention.close()
  })
})
