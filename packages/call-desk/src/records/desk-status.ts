import type { Queryable } from '@heyline/database'
import { z } from 'zod'
import { isInFlight } from '../call/call-state.js'
import { readSwitches } from '../gate/switches.js'
import { countIncomingRefusals } from '../incoming/incoming-refusals.js'
import { plain } from './call-record.js'
import { readMoney, type SpendOfAKind } from './desk-money.js'

/** How many of the last audit entries a status holds. */
const AUDIT_ENTRIES = 10

/** Millionths of a US dollar: what calls cost, and what is set aside for those whose cost is not known yet. */
export const money = z.object({ spent: z.number(), reserved: z.number() })

/** What one kind of call came to. */
const accounts = {
  /** The last 24 hours, and the last 31 days. */
  day: money,
  month: money,
  /** The requests of the last 24 hours: how many came to which outcome (or are in which state), and were refused for what. */
  requests: z.object({
    total: z.number(),
    outcomes: z.record(z.string(), z.number()),
    refusals: z.record(z.string(), z.number()),
  }),
}

/** What stops all dialling. */
export const switchesShown = z.object({
  /** ISO 8601: since when nothing is dialled; null where calls are placed. */
  pausedAt: z.string().nullable(),
  breaker: z.object({ at: z.string(), reason: z.string().nullable() }).nullable(),
})
export type SwitchesShown = z.output<typeof switchesShown>

export const deskStatus = switchesShown.extend({
  /** By phone and in the browser. */
  inFlight: z.number(),
  /** Phone calls. */
  ...accounts,
  /** Calls to our numbers that were refused in the last 24 hours, for what. None of them has a record. */
  incoming: z.object({ refusals: z.record(z.string(), z.number()) }),
  /** Calls in the browser: their budgets are their own. */
  web: z.object(accounts),
  /** The newest first. */
  audit: z.array(z.object({ at: z.string(), action: z.string(), detail: z.record(z.string(), z.unknown()) })),
})
export type DeskStatus = z.output<typeof deskStatus>

/** How the desk stands. */
export async function readStatus(db: Queryable): Promise<DeskStatus> {
  const { rows: busy } = await db.query<{ count: number }>(
    `select count(*)::int as count from call_desk.call_requests c where ${isInFlight('c')}`,
  )
  const { rows: entries } = await db.query(
    `select at, action, detail from call_desk.audit order by id desc limit ${AUDIT_ENTRIES}`,
  )
  const spend = await readMoney(db)
  const incoming = (await countIncomingRefusals(db)).filter(({ day }) => day > 0)
  return deskStatus.parse({
    ...(await shownSwitches(db)),
    inFlight: busy[0]?.count ?? 0,
    ...moneyOf(spend, 'phone'),
    requests: await countRequests(db, 'phone'),
    incoming: { refusals: Object.fromEntries(incoming.map(({ refusal, day }) => [refusal, day])) },
    web: { ...moneyOf(spend, 'web'), requests: await countRequests(db, 'web') },
    audit: entries.map(plain),
  })
}

/** What stops all dialling, as plain JSON. */
export async function shownSwitches(db: Queryable): Promise<SwitchesShown> {
  const { pausedAt, breakerAt, breakerReason } = await readSwitches(db)
  return {
    pausedAt: pausedAt?.toISOString() ?? null,
    breaker: breakerAt && { at: breakerAt.toISOString(), reason: breakerReason },
  }
}

const moneyOf = (
  spend: readonly SpendOfAKind[],
  kind: 'phone' | 'web',
): Pick<DeskStatus, 'day' | 'month'> => {
  const found = spend.find((one) => one.kind === kind)
  return {
    day: { spent: found?.daySpent ?? 0, reserved: found?.dayReserved ?? 0 },
    month: { spent: found?.monthSpent ?? 0, reserved: found?.monthReserved ?? 0 },
  }
}

async function countRequests(db: Queryable, kind: 'phone' | 'web'): Promise<DeskStatus['requests']> {
  const { rows } = await db.query<{ name: string; refused: boolean; count: number }>(
    `select coalesce(refusal, outcome, state) as name, refusal is not null as refused, count(*)::int as count
     from call_desk.call_requests where kind = $1 and created_at > now() - interval '24 hours'
     group by 1, 2 order by 3 desc, 1`,
    [kind],
  )
  const counts = (refused: boolean) =>
    Object.fromEntries(rows.filter((row) => row.refused === refused).map(({ name, count }) => [name, count]))
  return {
    total: rows.reduce((sum, { count }) => sum + count, 0),
    outcomes: counts(false),
    refusals: counts(true),
  }
}
