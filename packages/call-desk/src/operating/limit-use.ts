import { isWithin, type Queryable } from '@heyline/database'
import { isInFlight } from '../call/call-state.js'
import type { GateSettings, Limit } from '../gate/gate-settings.js'
import { LIMIT_KINDS } from '../gate/limit-kinds.js'
import { countsForAsker } from '../gate/refusal.js'
import { countsForAll } from '../gate/slug-totals.js'
import { readMoney } from '../records/desk-money.js'
import { WEB_LIMIT_KINDS } from '../web-calls/web-facts.js'
import type { WebGateSettings } from '../web-calls/web-gate-settings.js'

/** How much of a limit is used now: for each of its windows, and of the busiest number, page, address or country where it is about one. */
export type LimitUse = Readonly<Record<string, readonly (number | null)[]>>

type Kind = 'phone' | 'web'

const ROWS = 'call_desk.call_requests r'

/** The busiest of those that share a column; all, where it is about all. A lifetime's limit is not counted: nobody could say of whom. */
function countOf(kind: Kind, column: string | undefined, which: string, { windowMs }: Limit): string {
  if (!Number.isFinite(windowMs)) return 'null'
  const rows = `${ROWS} where r.kind = '${kind}' and ${which} and ${isWithin('r.created_at', windowMs)}`
  if (column === undefined) return `(select count(*)::int from ${rows})`
  return `(select coalesce(max(n), 0)::int from (select count(*) as n from ${rows} and r.${column} is not null group by r.${column}) busy)`
}

const counted = (name: string, counts: readonly string[]): string =>
  `'${name}', jsonb_build_array(${counts.join(', ')})`

function phoneCounts(gate: GateSettings): string[] {
  return LIMIT_KINDS.map(({ limits, column, countsRefused }) => {
    const which = countsRefused ? countsForAsker('r') : "r.state <> 'refused'"
    return counted(
      limits,
      gate[limits].map((limit) => countOf('phone', column, which, limit)),
    )
  })
}

function webCounts(gate: WebGateSettings): string[] {
  return WEB_LIMIT_KINDS.map(({ limits, column }) => {
    const all = column === undefined || column === 'slug' ? ` and ${countsForAll('r')}` : ''
    return counted(
      `web.${limits}`,
      gate[limits].map((limit) => countOf('web', column, `r.state <> 'refused'${all}`, limit)),
    )
  })
}

/** Calls that run: of a kind, and the most that share a column. */
const running = (kind: Kind, column?: string): string => {
  const rows = `${ROWS} where r.kind = '${kind}' and ${isInFlight('r')}`
  return column === undefined
    ? `(select count(*)::int from ${rows})`
    : `(select coalesce(max(n), 0)::int from (select count(*) as n from ${rows} group by r.${column}) busy)`
}

/** What of each limit is used, by the name of the setting as `raisedLimits` and `raisedWebLimits` have it. Money in millionths of a US dollar. */
export async function readLimitUse(
  db: Queryable,
  gate: GateSettings,
  webGate: WebGateSettings,
): Promise<LimitUse> {
  const counts = [
    ...phoneCounts(gate),
    ...webCounts(webGate),
    counted('concurrent', [running('phone')]),
    counted('slugConcurrent', [running('phone', 'slug')]),
    counted('web.concurrent', [running('web')]),
    counted('web.addressConcurrent', [running('web', 'address')]),
  ]
  const { rows } = await db.query<{ counts: Record<string, (number | null)[]> }>(
    `select jsonb_build_object(${counts.join(', ')}) as counts`,
    [],
    // Its plan takes longer than its counts.
    { prepared: true },
  )
  const money = await readMoney(db)
  const [phone, web] = (['phone', 'web'] as const).map((kind) => money.find((one) => one.kind === kind))
  return {
    ...rows[0]?.counts,
    dayBudget: [(phone?.daySpent ?? 0) + (phone?.dayReserved ?? 0)],
    monthBudget: [(phone?.monthSpent ?? 0) + (phone?.monthReserved ?? 0)],
    'web.dayBudget': [(web?.daySpent ?? 0) + (web?.dayReserved ?? 0)],
    'web.monthBudget': [(web?.monthSpent ?? 0) + (web?.monthReserved ?? 0)],
  }
}
