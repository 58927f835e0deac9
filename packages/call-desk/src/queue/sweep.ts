import { type Db, hasCome, isOver } from '@heyline/database'
import { statesBefore } from '../call/call-state.js'
import type { Refusal } from '../gate/refusal.js'
import { barOf, type DialRules } from './claim.js'

/** In SQL: the longest lease. */
const LEASE = "$5::float8 * interval '1 ms'"

/** Rows that the sweep closed. */
export interface Swept {
  id: string
  state: 'unknown' | 'failed' | 'refused'
  refusal: Refusal | null
}

/**
 * Closes rows of phone calls that no worker can finish. A row whose lease ran out after the request to the platform began becomes `unknown`. A row that
 * was not sent within `staleMs` becomes `failed`, and so does one that a clock that ran ahead stored, as nobody knows its age. An unsent row that may
 * not be dialled now becomes `refused` if the platform was never asked, otherwise `failed`. Where certainly no call was placed, the reserved money is given back.
 */
export async function sweepRequests(
  db: Db,
  leaseMs: number,
  { breaker, staleMs }: DialRules,
): Promise<Swept[]> {
  const { rows } = await db.query<Swept>(
    `with lost as (
       update call_desk.call_requests
       set state = 'unknown', unknown_at = now(), updated_at = now(), lease_until = null,
         last_error = 'worker_lost: the worker went away while the call was being placed'
       where kind = 'phone' and $2::jsonb ? state and state in ('queued', 'dialling') and platform_call_id is null
         and sent_at is not null and ${isOver('lease_until', LEASE)}
       returning id, state, refusal),
     unsent as (
       select r.id, r.state, b.bar
       from call_desk.call_requests r cross join lateral (select ${barOf('r', '$4')} as bar) b
       where r.kind = 'phone' and r.state in ('queued', 'dialling') and r.platform_call_id is null and r.sent_at is null
         and (b.bar is not null or ((r.created_at < now() - $1::float8 * interval '1 ms' or not ${hasCome('r.created_at')})
           and (r.lease_until is null or ${isOver('r.lease_until', LEASE)})))
       for update of r skip locked),
     closed as (
       update call_desk.call_requests r
       set state = case when u.bar is not null and u.state = 'queued' then 'refused' else 'failed' end,
         refusal = u.bar,
         refused_at = case when u.bar is not null and u.state = 'queued' then now() end,
         failed_at = case when u.bar is null or u.state <> 'queued' then now() end,
         last_error = coalesce(u.bar, r.last_error, 'expired: nothing was dialled in time'),
         claim = null, lease_until = null, updated_at = now()
       from unsent u
       where r.id = u.id and $3::jsonb ? u.state
       returning r.id, r.state, r.refusal)
     select id, state, refusal, null from lost
     union all select id, state, refusal, call_desk.settle_spend(id, 0)::text from closed`,
    [staleMs, statesBefore('unknown'), statesBefore('failed'), breaker, leaseMs],
    { prepared: true },
  )
  return rows
}
