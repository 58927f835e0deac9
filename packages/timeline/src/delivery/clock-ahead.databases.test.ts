import { randomUUID } from 'node:crypto'
import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { EndpointRow } from '../endpoints/endpoint-rows.js'
import { claimFirsts, dueEndpoints, settle } from './claims.js'
import { claimDigest } from './digests.js'
import { paceOf } from './pace.js'

const AHEAD = "now() + interval '30 days'"

describe.each(DATABASES)('what a clock that ran ahead wrote, on $name', ({ open }) => {
  let db: Db
  let id: string
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())
  beforeEach(async () => {
    await db.exec('delete from timeline.endpoints')
    const { rows } = await db.query<{ id: string }>(
      `insert into timeline.endpoints (name, kind, target, events) values ('CRM', 'slack', 'https://crm.example', '{visitor.changed}') returning id`,
    )
    id = rows[0]?.id ?? ''
  })

  const endpoint: Pick<EndpointRow, 'kind' | 'isDigest'> = { kind: 'slack', isDigest: false }
  const pace = () => paceOf(db, { id, ...endpoint })
  const changed = (...slugs: string[]) =>
    db.query(
      `insert into timeline.events (type, slug, actor, payload)
       select 'visitor.changed', slug, 'visitor', '{}' from jsonb_array_elements_text($1::jsonb) slug`,
      [slugs],
    )
  const claim = () => ({ endpointId: id, claim: randomUUID(), leaseMs: 60_000 })
  const claimed = async () => (await claimFirsts(db, claim(), 8)).map(({ lane }) => lane)
  const set = (set: string, lane: string) =>
    db.query(`update timeline.deliveries set ${set} where lane = $1`, [lane])

  it('counts for no pace', async () => {
    await changed('told')
    await db.query(
      `insert into timeline.attempts (endpoint_id, event_seq, at, ms)
       select endpoint_id, event_seq, ${AHEAD}, 1 from timeline.deliveries, generate_series(1, 20)`,
    )
    expect(await pace()).toBe('each')
    await db.exec("update timeline.attempts set at = now() + interval '30 seconds'")
    expect(await pace()).toBe('later')
  })

  it('holds no delivery up, and a wait as long as there are is kept', async () => {
    await changed('far', 'waits', 'held', 'left', 'now')
    await set(`run_at = ${AHEAD}`, 'far')
    await set("run_at = now() + interval '43 hours'", 'waits')
    await set("claim = gen_random_uuid(), lease_until = now() + interval '1 minute'", 'held')
    await set(`claim = gen_random_uuid(), lease_until = ${AHEAD}`, 'left')
    expect((await dueEndpoints(db)).map((due) => due.id)).toEqual([id])
    expect(await claimed()).toEqual(['far', 'left', 'now'])
    expect(await claimed()).toEqual([])
  })

  it('waits with its lane after a failure', async () => {
    await changed('lane', 'lane')
    await set(`run_at = ${AHEAD}`, 'lane')
    const own = claim()
    const [first] = await claimFirsts(db, own, 8)
    await settle(db, own, first?.seq ?? 0, { status: 500, error: '500', ms: 1, waitMs: 5_000 })
    expect(await dueEndpoints(db)).toEqual([])
    const { rows } = await db.query("select from timeline.deliveries where run_at < now() + interval '6 s'")
    expect(rows).toHaveLength(2)
  })

  it('holds no message of all that waits up', async () => {
    await changed('far', 'far', 'left', 'waits', 'waits')
    await set(`run_at = ${AHEAD}`, 'far')
    await set(`claim = gen_random_uuid(), lease_until = ${AHEAD}`, 'left')
    await db.exec(
      `update timeline.deliveries set run_at = now() + interval '1 hour'
       where event_seq = (select min(event_seq) from timeline.deliveries where lane = 'waits')`,
    )
    expect(await claimDigest(db, endpoint, claim())).toMatchObject({ count: 3 })
    // Another process is at it.
    await changed('new')
    expect(await claimDigest(db, endpoint, claim())).toBeUndefined()
  })
})
