import type { Db } from '@heyline/database'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type PlatformBench, startPlatform } from '../testing/platform-bench.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { OldFigures } from './old-figures.js'

const logger = pino({ level: 'silent' })
let db: Db
let bench: PlatformBench
beforeAll(async () => {
  db = await openPlatformDb()
  bench = await startPlatform(db)
})
afterAll(async () => {
  await bench.close()
  await db.close()
})

const COSTS = [
  { type: 'model', cost: 0.25, promptTokens: 7 },
  { type: 'analysis', analysisType: 'summary', cost: 0.5 },
]
const figures = async () =>
  (await db.query('select * from voice_platform.call_figures order by call_id', [])).rows

it('calls without figures get those that a change of the call would give them, and others keep theirs', async () => {
  await db.query(
    `insert into voice_platform.calls (type, status, ended_reason, assistant, costs, started_at, ended_at, owner)
     select 'webCall', 'ended', 'customer-ended-call', '{}', case when n % 2 = 0 then $1::jsonb end,
       now() - interval '1 minute', now(), gen_random_uuid()
     from generate_series(1, 1100) n`,
    [COSTS],
  )
  const before = await figures()
  expect(before).toHaveLength(1100)
  await db.query('delete from voice_platform.call_figures where call_id > $1', [
    '80000000-0000-0000-0000-000000000000',
  ])
  await db.query('update voice_platform.call_figures set summary_cost = null', [])
  const old = new OldFigures({ db, logger })
  old.start()
  await old.close()
  // It had begun, and stops after its part: the next start goes on.
  const next = new OldFigures({ db, logger })
  next.start()
  await expect.poll(async () => (await figures()).length).toBe(1100)
  await vi.waitFor(async () => expect(await figures()).toEqual(before), 5_000)
  await next.close()
})

it('calls with figures get the one that an older version did not write', async () => {
  const before = await figures()
  await db.query('update voice_platform.call_figures set summary_cost = null', [])
  const old = new OldFigures({ db, logger })
  old.start()
  await vi.waitFor(async () => expect(await figures()).toEqual(before), 5_000)
  await old.close()
  expect(before).toContainEqual(expect.objectContaining({ llm: 0.25, summary_cost: 0.5 }))
  expect(before).toContainEqual(expect.objectContaining({ llm: null, summary_cost: null }))
})
