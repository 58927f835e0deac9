import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CampaignPlan } from '../campaigns/campaign.js'
import { Campaigns } from '../campaigns/campaigns.js'
import { claimChecks } from '../following/checks.js'
import { claimMessages } from '../following/inbox-rows.js'
import { claimRequests } from '../queue/claim.js'
import { claimHangUps } from '../queue/hang-up-claims.js'
import { sweepRequests } from '../queue/sweep.js'
import { insertPlaced } from '../testing/followed-calls.js'
import { openGate } from '../testing/gate-desk.js'
import { DEFAULT_TIMINGS } from './timings.js'

const AHEAD = "now() + interval '30 days'"
const { leaseMs, staleMs, newsMs } = DEFAULT_TIMINGS
const rules = { breaker: false, maxSeconds: 60, staleMs }

describe.each(DATABASES)('what a clock that ran ahead wrote, on $name', ({ open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())
  beforeEach(() =>
    db.exec(
      'delete from call_desk.call_requests; delete from call_desk.inbox; delete from call_desk.campaigns',
    ),
  )

  const states = async () => {
    const { rows } = await db.query<{ slug: string; state: string }>(
      'select slug, state from call_desk.call_requests',
    )
    return Object.fromEntries(rows.map(({ slug, state }) => [slug, state]))
  }

  it('holds no call in the queue, and nobody is called who asked nobody knows when', async () => {
    await db.exec(`
      insert into call_desk.call_requests (phone, slug, body_hash, state, created_at, run_at, lease_until, sent_at) values
        ('+12025550101', 'ahead', 'x', 'queued', ${AHEAD}, ${AHEAD}, null, null),
        ('+12025550102', 'claimed-ahead', 'x', 'dialling', ${AHEAD}, ${AHEAD}, ${AHEAD}, null),
        ('+12025550103', 'sent-ahead', 'x', 'dialling', ${AHEAD}, ${AHEAD}, ${AHEAD}, ${AHEAD}),
        ('+12025550104', 'asked', 'x', 'queued', now(), now(), null, null),
        ('+12025550105', 'claimed', 'x', 'dialling', now(), now(), now() + interval '45 s', null),
        ('+12025550106', 'sent', 'x', 'dialling', now(), now(), now() + interval '45 s', now());
      insert into call_desk.ledger (request_id, at, reserved) select id, created_at, 100000 from call_desk.call_requests where slug = 'ahead'`)
    expect(await sweepRequests(db, leaseMs, rules)).toHaveLength(3)
    expect(await states()).toEqual({
      ahead: 'failed',
      'claimed-ahead': 'failed',
      'sent-ahead': 'unknown',
      asked: 'queued',
      claimed: 'dialling',
      sent: 'dialling',
    })
    const { rows } = await db.query('select spent::int as spent from call_desk.ledger')
    expect(rows).toEqual([{ spent: 0 }])
    const look = { claim: crypto.randomUUID(), limit: 10, leaseMs }
    expect((await claimRequests(db, look, rules)).map(({ slug }) => slug)).toEqual(['asked'])
  })

  it('keeps no call from being asked about or ended', async () => {
    await insertPlaced(db, ['far', 'waits', 'old'])
    await db.exec(`
      update call_desk.call_requests set check_at = ${AHEAD}, hang_up_at = ${AHEAD} where platform_call_id = 'far';
      update call_desk.call_requests set check_at = now() + interval '5 s', hang_up_at = now() + interval '5 s' where platform_call_id = 'waits';
      update call_desk.call_requests set sent_at = now() - interval '5 hours', check_at = now() + interval '30 minutes' where platform_call_id = 'old'`)
    expect((await claimChecks(db, 10, newsMs)).map(({ callId }) => callId)).toEqual(['far'])
    expect(await claimChecks(db, 10, newsMs)).toEqual([])
    const again = { againMs: 5000, maxSeconds: 60 }
    expect((await claimHangUps(db, 10, again)).map(({ callId }) => callId)).toEqual(['far'])
    expect(await claimHangUps(db, 10, again)).toEqual([])
  })

  it('leaves no message in the inbox, and what was given up stays so', async () => {
    await db.exec(`
      insert into call_desk.inbox (id, body, run_at) values
        ('far', '{}', ${AHEAD}), ('waits', '{}', now() + interval '64 s'), ('given-up', '{}', 'infinity'), ('due', '{}', now())`)
    const claimed = await db.transaction((tx) => claimMessages(tx, 10))
    expect(claimed.map(({ id }) => id)).toEqual(['due', 'far'])
  })

  it('has no customer of a campaign wait, unless the campaign is planned for then', async () => {
    const campaigns = new Campaigns({
      db,
      gate: openGate,
      timings: DEFAULT_TIMINGS,
      logger: pino({ level: 'silent' }),
    })
    const plan: CampaignPlan = {
      name: 'Spring',
      assistantId: 'a',
      phoneNumberId: 'p',
      earliestAt: null,
      latestAt: null,
    }
    const created = async (changes: Partial<CampaignPlan>, number: string) => {
      const made = await campaigns.create({ ...plan, ...changes, customers: [{ number, details: {} }] })
      return 'fault' in made ? '' : made.id
    }
    const far = await created({}, '+14155550101')
    const waits = await created({}, '+14155550102')
    const days = (count: number) => new Date(Date.now() + count * 86_400_000)
    const planned = await created({ earliestAt: days(20), latestAt: days(40) }, '+14155550103')
    // A clock that was ahead has begun it, too.
    await db.exec("update call_desk.campaigns set state = 'in-progress'")
    await db.query(
      `update call_desk.campaign_customers set run_at = case when campaign_id = $1 then now() + interval '5 minutes' else ${AHEAD} end`,
      [waits],
    )
    await campaigns.work()
    const { rows } = await db.query(
      'select campaign_id as id from call_desk.campaign_customers where request_id is not null',
    )
    expect(rows).toEqual([{ id: far }])
    expect(await campaigns.get(planned)).toMatchObject({ calls: [{ status: 'scheduled' }] })
  })
})
