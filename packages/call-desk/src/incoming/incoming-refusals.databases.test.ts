import { randomUUID } from 'node:crypto'
import type { Db } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readStatus } from '../records/desk-status.js'
import { countRefusals } from '../records/refusal-counts.js'
import { clearDesk, openGate } from '../testing/gate-desk.js'
import { createIncomingCalls } from './incoming-calls.js'
import { IncomingRefusals } from './incoming-refusals.js'

const logger = pino({ level: 'silent' })

describe.each(DATABASES)('refused calls to us, on $name', ({ open }) => {
  let db: Db
  beforeAll(async () => {
    db = await open()
  })
  afterAll(() => db.close())
  beforeEach(() => clearDesk(db))

  it('are in the status and among the refusals, by reason, and have no record', async () => {
    const refusals = new IncomingRefusals({ db, logger })
    const gate = { ...openGate, dayBudget: 2 }
    const incoming = createIncomingCalls({ db, gate, timings: { newsMs: 1000 }, refusals, logger })
    const ask = () => incoming.reserve({ callId: randomUUID(), from: '+12025550433', proven: false })
    for (const _ of [1, 2, 3]) expect(await ask()).toEqual({ admitted: false })
    await db.exec('update call_desk.switches set paused_at = now()')
    await ask()
    await refusals.close()
    expect(await readStatus(db)).toMatchObject({
      incoming: { refusals: { budget_exhausted: 3, paused: 1 } },
      requests: { total: 0, refusals: {} },
    })
    expect(await countRefusals(db)).toMatchObject([
      {
        kind: 'in',
        refusal: 'budget_exhausted',
        reason: expect.stringMatching(/calls to us/),
        day: 3,
        month: 3,
      },
      { kind: 'in', refusal: 'paused', day: 1, month: 1 },
    ])
  })

  it('make one row for each hour and reason, however many they are', async () => {
    const earlier =
      "insert into call_desk.incoming_refusals values (now() - interval '25 hours', 'paused', 5)"
    await db.exec(earlier)
    const refusals = new IncomingRefusals({ db, logger })
    for (let call = 0; call < 10_000; call++) refusals.count('paused')
    await refusals.close()
    refusals.count('paused')
    await refusals.close()
    expect((await db.query('select from call_desk.incoming_refusals')).rowCount).toBeLessThanOrEqual(3)
    expect(await countRefusals(db)).toMatchObject([{ refusal: 'paused', day: 10_001, month: 10_006 }])
    expect((await readStatus(db)).incoming).toEqual({ refusals: { paused: 10_001 } })
  })
})
