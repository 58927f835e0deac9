import { type Db, openPostgres } from '@heyline/database'
import { DATABASES } from '@heyline/database/testing'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { WebGateSettings } from '../index.js'
import { deskOf } from '../testing/desk.js'
import { addressOf, ask, clearDesk, openGate } from '../testing/gate-desk.js'
import { openWebGate, reserveWeb } from '../testing/web-desk.js'

/** Where processes share a database, each with its own connections. */
const postgres = DATABASES.filter(({ name }) => name === 'Postgres')

describe.each(postgres)('two processes on $name', ({ open }) => {
  let pools: Db[] = []
  beforeAll(async () => {
    const first = await open()
    const { rows } = await first.query<{ name: string }>('select current_database() as name')
    const server = process.env.HEYLINE_TEST_POSTGRES ?? ''
    const url = server.replace('/postgres?', `/${rows[0]?.name}?`)
    const second = await openPostgres({ url, logger: pino({ level: 'silent' }) })
    pools = [second, first]
  })
  afterAll(async () => {
    for (const pool of pools) await pool.close()
  })
  const db = (): Db => {
    const [pool] = pools
    if (!pool) throw new Error('There is no pool.')
    return pool
  }
  beforeEach(() => clearDesk(db()))

  /** Forty browser calls and twenty phone calls at once, in turn by both processes; resolves with how many passed of each. */
  async function rush(changes: Partial<WebGateSettings>): Promise<{ web: number; phone: number }> {
    const desks = pools.map((pool) =>
      deskOf(pool, 'http://127.0.0.1:1', {
        gate: { ...openGate, concurrent: 7 },
        webGate: { ...openWebGate, ...changes },
        addressOf,
        findVisitor: async (slug) => ({ slug }),
      }),
    )
    const web: Promise<{ result: string }>[] = []
    const phone: Promise<{ status: number }>[] = []
    for (let place = 0; place < 20; place++)
      for (const [which, desk] of desks.entries()) {
        web.push(reserveWeb(desk, { address: `10.${which}.${place}.1`, slug: `page-${place}` }))
        if (which === place % 2)
          phone.push(
            ask(desk, {
              phone: `+1415${200 + place}2671`,
              slug: `page-${place}`,
              address: `10.9.${place}.1`,
            }),
          )
      }
    return {
      web: (await Promise.all(web)).filter(({ result }) => result === 'reserved').length,
      phone: (await Promise.all(phone)).filter(({ status }) => status === 202).length,
    }
  }

  it.each<[string, Partial<WebGateSettings>]>([
    ['calls at once', { concurrent: 5 }],
    ['starts', { startLimits: [{ most: 5, windowMs: 60_000 }] }],
    ['money', { minutePrice: 1_000_000, maxSeconds: 60, dayBudget: 5_999_999 }],
  ])('never overshoot the limit of %s, nor that of the phone calls', async (_, changes) => {
    expect(await rush(changes)).toEqual({ web: 5, phone: 7 })
    const { rows } = await db().query<{ kind: string; count: number }>(
      "select kind, count(*)::int as count from call_desk.call_requests where state <> 'refused' group by kind order by kind",
    )
    expect(rows).toEqual([
      { kind: 'phone', count: 7 },
      { kind: 'web', count: 5 },
    ])
  })
})
