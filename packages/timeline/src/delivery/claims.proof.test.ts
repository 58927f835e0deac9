import { randomUUID } from 'node:crypto'
import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claimFirsts } from './claims.js'

const LEASE_MS = 60_000
const AT_ONCE = 1_000

describe.each(DATABASES)('claims, $name', ({ open }) => {
  let db: Db
  let endpointId: string
  beforeEach(async () => {
    db = await open()
    const { rows } = await db.query<{ id: string }>(
      `insert into timeline.endpoints (name, kind, target, events) values ('CRM', 'slack', 'https://crm.example', '{visitor.changed}') returning id`,
    )
    endpointId = rows[0]?.id ?? ''
  })
  afterEach(() => db.close())

  /** So many changes, of so many visitors by turns. A busy machine has no time for all of them in one statement. */
  async function waiting(count: number, lanes: number) {
    for (let first = 0; first < count; first += AT_ONCE)
      await db.query(
        `insert into timeline.events (type, slug, actor, payload)
         select 'visitor.changed', 'v' || lpad((n % $3)::text, 6, '0'), 'visitor', '{}' from generate_series($1::int, $2::int - 1) n`,
        [first, Math.min(first + AT_ONCE, count), lanes],
      )
  }
  const claimed = async (most: number, after?: string) => {
    const claims = await claimFirsts(db, { endpointId, claim: randomUUID(), leaseMs: LEASE_MS }, most, after)
    return claims.map(({ lane }) => lane)
  }

  it('take the first of each lane, from the one behind another on', async () => {
    await waiting(6, 3)
    expect(await claimed(1, 'v000000')).toEqual(['v000001'])
    expect(await claimed(2, 'v000001')).toEqual(['v000002'])
    expect(await claimed(8)).toEqual(['v000000'])
    expect(await claimed(8)).toEqual([])
  })

  it('leave a lane alone whose first one waits', async () => {
    await waiting(4, 2)
    await db.query(
      `update timeline.deliveries set run_at = now() + interval '1 hour' where lane = 'v000000' and event_seq = (select min(event_seq) from timeline.deliveries)`,
    )
    expect(await claimed(8)).toEqual(['v000001'])
  })

  // By a comparison of each one with all others this took from one second to more than a minute.
  it.each([1, 20, 20_000])('step over what waits: 20,000 in %i lanes', async (lanes) => {
    await waiting(20_000, lanes)
    for (const analysed of [false, true]) {
      if (analysed) await db.exec('analyze timeline.deliveries')
      const took = await db.transaction(async (tx) => {
        await tx.query("select set_config('statement_timeout', '2s', true)")
        const claims = await claimFirsts(tx, { endpointId, claim: randomUUID(), leaseMs: 0 }, 8)
        return claims.length
      })
      expect(took).toBe(Math.min(8, lanes))
    }
  })
})
