import type { Queryable } from '@heyline/database'
import { isInFlight } from '../call/call-state.js'
import { readSwitches } from '../gate/switches.js'
import { readMoney, type SpendOfAKind } from './desk-money.js'

/** Calls of the last 24 hours that the gate let pass. */
export interface CallsOfADay {
  kind: 'phone' | 'web'
  direction: 'out' | 'in'
  state: string
  /** Null before the end. */
  outcome: string | null
  count: number
}

/** What waits: how much, and for how long the oldest of it has been due, in seconds. */
export interface Waiting {
  length: number
  ageSeconds: number
}

/** How the desk of all processes stands, in numbers: no number of a person, and no slug. */
export interface DeskFigures {
  calls: CallsOfADay[]
  /** Phone calls that wait to be dialled. */
  queue: Waiting
  /** Messages of the platform that wait to be taken in. */
  inbox: Waiting
  /** The last 24 hours, and the last 31 days. */
  spend: SpendOfAKind[]
  paused: boolean
  breakerOpen: boolean
}

/** Most that is counted of what waits. */
const MOST_COUNTED = 10_000

/** Each statement reads an index of its own. */
export async function readDeskFigures(db: Queryable): Promise<DeskFigures> {
  const { rows: calls } = await db.query<CallsOfADay>(
    `select r.kind, case when r.inbound then 'in' else 'out' end as direction, r.state, r.outcome, count(*)::int as count
     from call_desk.call_requests r where r.state <> 'refused' and r.created_at > now() - interval '24 hours'
     group by 1, 2, 3, 4`,
  )
  const { pausedAt, breakerAt } = await readSwitches(db)
  return {
    calls,
    queue: await readWaiting(
      db,
      `select r.run_at as due from call_desk.call_requests r
       where r.kind = 'phone' and r.state in ('queued', 'dialling') and r.platform_call_id is null and r.sent_at is null
         and ${isInFlight('r')}`,
    ),
    inbox: await readWaiting(db, 'select run_at as due from call_desk.inbox where done_at is null'),
    spend: await readMoney(db),
    paused: pausedAt !== null,
    breakerOpen: breakerAt !== null,
  }
}

/** `waiting` selects when each was or will be due. */
async function readWaiting(db: Queryable, waiting: string): Promise<Waiting> {
  const { rows } = await db.query<Waiting>(
    `select count(*)::int as length, greatest(0, coalesce(extract(epoch from now() - min(due)), 0))::float8 as "ageSeconds"
     from (${waiting} order by 1 limit ${MOST_COUNTED}) waiting`,
  )
  return rows[0] ?? { length: 0, ageSeconds: 0 }
}
