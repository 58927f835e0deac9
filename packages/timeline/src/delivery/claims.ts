import { isOver, isTooFar, type Queryable } from '@heyline/database'
import { ENDPOINT_COLUMNS, type EndpointRow } from '../endpoints/endpoint-rows.js'
import { EVENT_COLUMNS, type EventRow, eventOf } from '../events/event.js'
import type { ToldEvent } from '../messages/told-event.js'
import type { TryResult } from '../outgoing/try-result.js'
import { LONGEST_WAIT_MS } from './tries.js'

/** Longest lease, in ms. */
export const LEASE_MS = 60_000

/** A delivery that nobody else sends until the lease ends. */
export interface Claimed {
  seq: number
  /** What is told in order: one visitor's events, or the installation's. */
  lane: string
  /** Tries before this one. */
  attempts: number
  event: ToldEvent
}

/** The time of a delivery's next try has come. */
export const hasRunAtCome = (runAt: string): string => isOver(runAt, LONGEST_WAIT_MS)

/** Somebody holds a delivery. */
export const isHeld = (leaseUntil: string): string =>
  `(${leaseUntil} >= now() and not ${isTooFar(leaseUntil, LEASE_MS)})`

/** Waits, and nobody's: of `timeline.deliveries d`. */
const FREE = `d.state = 'pending' and (d.lease_until is null or not ${isHeld('d.lease_until')})`
const DUE = `${FREE} and ${hasRunAtCome('d.run_at')}`

/** Selects up to `most` deliveries of an endpoint that are due. Each half is a range of the index: for both at once it may be read as a whole. */
export const selectDue = (endpoint: string, most: number): string => {
  const free = (runAt: string) =>
    `(select from timeline.deliveries d where d.endpoint_id = ${endpoint} and ${FREE} and ${runAt} limit ${most})`
  return `select from (${free('d.run_at <= now()')} union all ${free(isTooFar('d.run_at', LONGEST_WAIT_MS))}) due limit ${most}`
}

/** Endpoints that something is due for. */
export async function dueEndpoints(db: Queryable): Promise<EndpointRow[]> {
  const { rows } = await db.query<EndpointRow>(
    `select ${ENDPOINT_COLUMNS} from timeline.endpoints p
     where p.disabled_at is null and exists (${selectDue('p.id', 1)})`,
  )
  return rows
}

export interface Claim {
  endpointId: string
  /** Whoever claims. */
  claim: string
  /** At most `LEASE_MS`. */
  leaseMs: number
}

/**
 * Claims at most so many deliveries of an endpoint: the first of each lane that is due, lane by lane in the order of their names, from the one
 * behind `after` on. It steps from lane to lane by the index, so that what waits in a lane costs nothing.
 */
export async function claimFirsts(
  db: Queryable,
  { endpointId, claim, leaseMs }: Claim,
  most: number,
  after?: string,
): Promise<Claimed[]> {
  const { rows } = await db.query<EventRow & { attempts: number; lane: string; name: string | null }>(
    `with recursive heads as (
       (${headBehind(after === undefined ? '' : 'and d.lane > $5')})
       union all
       select next.* from heads h cross join lateral (${headBehind('and d.lane > h.lane')}) next),
     firsts as materialized (select d.event_seq from heads d where ${DUE} limit $2),
     claimed as (
       update timeline.deliveries d set claim = $3, lease_until = now() + $4::float8 * interval '1 millisecond'
       from firsts f where d.endpoint_id = $1 and d.event_seq = f.event_seq and ${DUE} returning d.event_seq, d.attempts, d.lane)
     select ${EVENT_COLUMNS}, c.attempts, c.lane, v.name
     from claimed c join timeline.events e on e.seq = c.event_seq left join public.visitors v on v.slug = e.slug
     order by c.lane`,
    [endpointId, most, claim, leaseMs, ...(after === undefined ? [] : [after])],
  )
  return rows.map(({ attempts, lane, name, ...row }) => ({
    seq: row.seq,
    lane,
    attempts,
    event: { ...eventOf(row), name },
  }))
}

/** The first delivery of the first lane that waits. */
const headBehind = (condition: string) =>
  `select d.event_seq, d.lane, d.state, d.run_at, d.lease_until from timeline.deliveries d
   where d.endpoint_id = $1 and d.state = 'pending' ${condition} order by d.lane, d.event_seq limit 1`

export interface Outcome extends TryResult {
  ms: number
  /** When to try again; undefined where it is not tried again. */
  waitMs?: number | undefined
}

/**
 * Notes what became of a try, unless another process has claimed the delivery meanwhile. After a failure the lane's later deliveries wait as
 * long; after a success they are due.
 */
export async function settle(
  db: Queryable,
  { endpointId, claim }: Claim,
  seq: number,
  outcome: Outcome,
): Promise<void> {
  const { status, error, ms, waitMs = 0 } = outcome
  await db.query(
    `with done as (
       update timeline.deliveries set state = $4::text, attempts = attempts + 1, claim = null, lease_until = null,
         run_at = now() + $5::float8 * interval '1 millisecond', done_at = case when $4 <> 'pending' then now() end
       where endpoint_id = $1 and event_seq = $2 and claim = $3 returning event_seq, lane, run_at),
     logged as (
       insert into timeline.attempts (endpoint_id, event_seq, ms, status, error) select $1::uuid, event_seq, $6::int, $7::int, $8::text from done)
     update timeline.deliveries d set run_at = done.run_at from done
     where d.endpoint_id = $1 and d.lane = done.lane and d.state = 'pending' and d.event_seq > done.event_seq
       and case $4 when 'pending' then d.run_at < done.run_at or ${isTooFar('d.run_at', LONGEST_WAIT_MS)} else d.run_at > done.run_at end`,
    [endpointId, seq, claim, stateOf(outcome), waitMs, ms, status, error],
    { prepared: true },
  )
}

const stateOf = ({ error, waitMs }: Outcome): 'delivered' | 'pending' | 'dead' => {
  if (error === null) return 'delivered'
  return waitMs === undefined ? 'dead' : 'pending'
}

/** An endpoint that wants nothing more. Its address may have been changed meanwhile: then it stays. */
export async function disableGone(db: Queryable, { id, target }: EndpointRow): Promise<void> {
  await db.query(
    `update timeline.endpoints set disabled_at = now(), disabled_reason = 'It answered 410: it wants nothing more'
     where id = $1 and target = $2 and disabled_at is null`,
    [id, target],
  )
}
