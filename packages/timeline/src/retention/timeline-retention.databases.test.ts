import type { Db } from '@heyline/database'
import { DATABASES, leapDate } from '@heyline/database/testing'
import { SETTLED_MS } from '@heyline/kit/every-hour'
import { ManualClock } from '@heyline/kit/manual-clock'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { forgetEvents, keepTimelineBounded } from './timeline-retention.js'

describe.each(DATABASES)('old events on $name', ({ open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())
  beforeEach(() => db.exec('delete from timeline.events; delete from timeline.visitors'))

  const store = (days: number, times = 1, type = 'page.opened') =>
    db.query(
      `insert into timeline.events (type, slug, actor, at)
       select $3, 'acme', 'visitor', now() - $1::int * interval '1 day' from generate_series(1, $2::int)`,
      [days, times, type],
    )
  const DAYS = { all: 400, refused: 30 }
  const left = async () => (await db.query('select from timeline.events')).rows.length

  it('go in parts with their deliveries, and their counts stay', async () => {
    await db.query(
      `insert into timeline.endpoints (name, kind, target, events) values ('a tool', 'webhook', 'http://127.0.0.1:1', '{page.opened}')`,
    )
    await store(399, 2)
    await store(401, 1_100)
    await db.query(
      `insert into timeline.attempts (endpoint_id, event_seq, ms) select endpoint_id, event_seq, 1 from timeline.deliveries`,
    )
    expect(await forgetEvents(db, DAYS)).toBe(1_100)
    const kept = { events: 2, deliveries: 1, attempts: 1 }
    for (const [table, count] of Object.entries(kept))
      expect((await db.query(`select from timeline.${table}`)).rows, table).toHaveLength(count)
    expect((await db.query('select opens from timeline.visitors')).rows).toEqual([{ opens: 1_102 }])
    expect(await forgetEvents(db, DAYS)).toBe(0)
  })

  it('of refused requests go after the days of these, and after 32 at least', async () => {
    for (const days of [31, 33, 45]) {
      await store(days, 600, 'call.refused')
      await store(days)
    }
    expect(await forgetEvents(db, { all: 400, refused: 40 })).toBe(600)
    expect(await forgetEvents(db, { all: 400, refused: 1 })).toBe(600)
    expect(await left()).toBe(603)
  })

  it.each([
    ['events_by_time', ''],
    ['events_refused_by_time', "and e.type = 'call.refused'"],
  ])('are found by the index %s', async (index, which) => {
    await store(1, 50)
    await store(1, 50, 'call.refused')
    const plan = await db.transaction(async (tx) => {
      // So few rows are read whole, unless that costs much.
      await tx.query('set local enable_seqscan = off')
      const { rows } = await tx.query(
        `explain select e.seq from timeline.events e where e.at < now() - interval '400 days' ${which}
         order by e.at limit 500 for update skip locked`,
      )
      return JSON.stringify(rows)
    })
    expect(plan).toContain(index)
  })

  it('go by themselves', async () => {
    await store(50, 3)
    const clock = new ManualClock()
    const end = keepTimelineBounded({
      db,
      days: { all: 40, refused: 30 },
      logger: pino({ level: 'silent' }),
      clock,
    })
    clock.advance(SETTLED_MS)
    await expect.poll(left).toBe(0)
    await end()
  })

  it('stay while the date is doubted, and go once it is not', async () => {
    await store(50, 3)
    const clock = new ManualClock()
    await leapDate(db, 400)
    const end = keepTimelineBounded({
      db,
      days: { all: 40, refused: 30 },
      logger: pino({ level: 'silent' }),
      clock,
    })
    clock.advance(SETTLED_MS)
    await expect.poll(() => clock.pending).toBe(1)
    expect(await left()).toBe(3)
    await leapDate(db, 1)
    clock.advance(3_600_000)
    await expect.poll(left).toBe(0)
    await end()
  })
})
