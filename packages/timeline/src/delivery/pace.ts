import { isWithin, type Queryable } from '@heyline/database'
import type { EndpointRow } from '../endpoints/endpoint-rows.js'
import { isHeld, selectDue } from './claims.js'

/** Messages that people get in an hour, each of one event. */
const MOST_PER_HOUR = 20
/** Beyond that, one message of all that waits comes so long after the one before, in minutes. */
const APART_MINUTES = 10
const HOUR_MS = 3_600_000
/** Newest tries that are looked at: the log is long. */
const LOOKED_AT = 1_000

/** How an endpoint is told now: one message for each event, one for all that wait, or none yet. */
export type Pace = 'each' | 'together' | 'later'

/**
 * Programs are told of each event. People are told of each as long as what is due is within what their hour has left, else of all at once:
 * whoever makes things happen without end sends them some twenty messages of single events in an hour, and one more every ten minutes.
 * What another process claims at this very moment may add one or two.
 */
export async function paceOf(
  db: Queryable,
  { id, kind, isDigest }: Pick<EndpointRow, 'id' | 'kind' | 'isDigest'>,
): Promise<Pace> {
  if (kind === 'webhook') return 'each'
  const { rows } = await db.query<{ told: number; isRested: boolean; due: number }>(
    `with newest as (select at, error from timeline.attempts where endpoint_id = $1 order by id desc limit ${LOOKED_AT}),
     told as (select at from newest where error is null and ${isWithin('at', HOUR_MS)}),
     under_way as (
       select from timeline.deliveries where endpoint_id = $1 and state = 'pending' and ${isHeld('lease_until')} limit ${MOST_PER_HOUR}),
     due as (${selectDue('$1', MOST_PER_HOUR + 1)})
     select ((select count(*) from told) + (select count(*) from under_way))::int as told,
       (select coalesce(max(at) < now() - interval '${APART_MINUTES} minutes', true) from told) as "isRested",
       (select count(*) from due)::int as due`,
    [id],
  )
  const { told, isRested, due } = rows[0] ?? { told: 0, isRested: true, due: 0 }
  const left = MOST_PER_HOUR - told
  if (!isDigest && due <= left) return 'each'
  return left > 0 || isRested ? 'together' : 'later'
}
