import type { Queryable } from '@heyline/database'
import { z } from 'zod'
import { money } from './desk-status.js'

/** Longest that spend is told back, in days. */
export const SPEND_DAYS = 366

export const spendDay = z.object({
  /** `2026-11-22`, of UTC. */
  day: z.string(),
  phone: money,
  web: money,
})
export type SpendDay = z.output<typeof spendDay>

const NOTHING = { spent: 0, reserved: 0 }
const DAY_MS = 86_400_000

/** What calls cost on each of the last `days` days, the oldest first, today included. */
export async function readSpend(db: Queryable, days: number): Promise<SpendDay[]> {
  const { rows } = await db.query<{ day: string; kind: 'phone' | 'web'; spent: number; reserved: number }>(
    `select to_char(l.at at time zone 'UTC', 'YYYY-MM-DD') as day, l.kind,
       coalesce(sum(l.spent), 0)::float8 as spent, coalesce(sum(l.reserved) filter (where l.spent is null), 0)::float8 as reserved
     from call_desk.ledger l
     where l.at >= (date_trunc('day', now() at time zone 'UTC') - ($1::int - 1) * interval '1 day') at time zone 'UTC'
     group by 1, 2`,
    [days],
  )
  const { rows: clock } = await db.query<{ now: Date }>('select now()')
  const today = clock[0]?.now.getTime() ?? Date.now()
  const of = (day: string, kind: 'phone' | 'web') => {
    const row = rows.find((each) => each.day === day && each.kind === kind)
    return row ? { spent: row.spent, reserved: row.reserved } : NOTHING
  }
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(today - (days - 1 - index) * DAY_MS).toISOString().slice(0, 10)
    return { day, phone: of(day, 'phone'), web: of(day, 'web') }
  })
}
