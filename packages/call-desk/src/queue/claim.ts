import type { Db } from '@heyline/database'
import { statesBefore } from '../call-state.js'

/** A row that this worker holds until its lease runs out. */
export interface ClaimedRequest {
  id: string
  /** Fences the worker's later statements: another claim has another id. */
  claim: string
  phone: string
  slug: string
  /** Times the platform was asked before. */
  attempts: number
}

/** Takes up to `limit` rows that are due and that nothing was sent for, the oldest first. Processes share: a row goes to one of them. */
export async function claimRequests(db: Db, limit: number, leaseMs: number): Promise<ClaimedRequest[]> {
  const { rows } = await db.query<ClaimedRequest>(
    `with due as (
       select id from call_desk.call_requests
       where state in ('queued', 'dialling') and platform_call_id is null and sent_at is null
         and run_at <= now() and (lease_until is null or lease_until < now())
       order by run_at limit $1 for update skip locked)
     update call_desk.call_requests r
     set claim = gen_random_uuid(), lease_until = now() + $2::float8 * interval '1 ms', updated_at = now()
     from due where r.id = due.id
     returning r.id, r.claim, r.phone, r.slug, r.attempts`,
    [limit, leaseMs],
  )
  return rows
}

/**
 * Marks that the request to the platform begins. From here on the row is never sent again unless the platform definitely refuses.
 * False when the lease ran out and somebody else has the row: then nothing may be sent.
 */
export async function beginSending(db: Db, { id, claim }: ClaimedRequest, leaseMs: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `update call_desk.call_requests
     set state = 'dialling', dialling_at = coalesce(dialling_at, now()), sent_at = now(), attempts = attempts + 1,
       lease_until = now() + $3::float8 * interval '1 ms', updated_at = now()
     where id = $1 and claim = $2 and sent_at is null and lease_until > now() and $4::jsonb ? state`,
    [id, claim, leaseMs, [...statesBefore('dialling'), 'dialling']],
  )
  return rowCount === 1
}

/** Gives a row back that nothing was sent for. */
export async function releaseClaim(db: Db, { id, claim }: ClaimedRequest): Promise<void> {
  await db.query(
    `update call_desk.call_requests set claim = null, lease_until = null, updated_at = now()
     where id = $1 and claim = $2 and sent_at is null`,
    [id, claim],
  )
}

/** Rows that the sweep closed. */
export interface Swept {
  id: string
  state: 'unknown' | 'failed'
}

/**
 * Closes rows that nobody can bring further: `unknown` where a lease ran out after the request to the platform began,
 * `failed` where nothing was sent within `staleMs`.
 */
export async function sweepRequests(db: Db, staleMs: number): Promise<Swept[]> {
  const { rows } = await db.query<Swept>(
    `with lost as (
       update call_desk.call_requests
       set state = 'unknown', unknown_at = now(), updated_at = now(), lease_until = null,
         last_error = 'worker_lost: the worker went away while the call was being placed'
       where $2::jsonb ? state and state in ('queued', 'dialling') and platform_call_id is null
         and sent_at is not null and lease_until < now()
       returning id, state),
     stale as (
       update call_desk.call_requests
       set state = 'failed', failed_at = now(), updated_at = now(), lease_until = null,
         last_error = coalesce(last_error, 'expired: nothing was dialled in time')
       where $3::jsonb ? state and state in ('queued', 'dialling') and platform_call_id is null and sent_at is null
         and (lease_until is null or lease_until < now()) and created_at < now() - $1::float8 * interval '1 ms'
       returning id, state)
     select id, state from lost union all select id, state from stale`,
    [staleMs, statesBefore('unknown'), statesBefore('failed')],
  )
  return rows
}
