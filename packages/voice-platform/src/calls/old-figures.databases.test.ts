import type { Db } from '@heyline/database'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it } from 'vitest'
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

const figures = async () =>
  (await db.query('select * from voice_platform.call_figures order by call_id', [])).rows

it('calls without figures get those that a change of the call would give them, and others keep theirs', async () => {
  await db.query(
    `insert into voice_platform.calls (type, status, ended_reason, assistant, costs, started_at, ended_at, owner)
     select 'webCall', 'ended', 'customer-ended-call', '{}', case when n % 2 = 0 then '[{"type":"model","cost":0.25,"promptTokens":7}]'::jsonb end,
       now() - interval '1 minute', now(), gen_random_uuid()
     from generate_series(1, 1100) n`,
    [],
  )
  const before = await figures()
  expect(before).toHaveLength(1100)
  await db.query('delete from voice_platform.call_figures where call_id > $1', [
    '80000000-0000-0000-0000-000000000000',
  ])
  const old = new OldFigures({ db, logger })
  old.start()
  await old.close()
  // It had begun, and stops after its part: the next start goes on.
  const next = new OldFigures({ db, logger })
  next.start()
  await expect.poll(async () => (await figures()).length).toBe(1100)
  await next.close()
  expect(await figures()).toEqual(before)
})
