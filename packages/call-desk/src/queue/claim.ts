import type { Db } from '@heyline/database'
import { statesBefore } from '../call/call-state.js'
import type { Refusal } from '../gate/refusal.js'

/**
 * An SQL expression: why a row may not be dialled now, as a refusal's code, or null. `row` is the row's alias. `breaker` is a boolean
 * parameter: whether the circuit breaker counts. A row that was marked to be ended, by a pause, an operator or the person called, is not dialled.
 */
export const barOf = (row: string, breaker: string): string => `
  (select case
     when s.paused_at is not null then 'paused'
     when s.breaker_at is not null and ${breaker}::boolean then 'breaker_open'
     when ${row}.hang_up_at is not null and ${row}.hang_up_reason = 'paused' then 'paused'
     when ${row}.hang_up_at is not null and ${row}.hang_up_reason = 'operator' then 'ended'
     when ${row}.hang_up_at is not null
       or exists (select from call_desk.do_not_call d where d.phone = ${row}.phone) then 'dnc'
   end from call_desk.switches s)`

/** A row that this worker holds until its lease runs out. */
export interface ClaimedRequest {
  id: string
  /** Fences the worker's later statements: another claim has another id. */
  claim: string
  phone: string
  slug: string
  /** The number that calls this visitor, where it is not the one that calls everybody. */
  callerId?: string | null
  /** The trace that the request is part of (`traceparent`). */
  traceparent?: string | null
  /** Times the platform was asked before. */
  attempts: number
}

/** What of the gate's settings counts when a call is dialled. */
export interface DialRules {
  /** The circuit breaker stops calls. */
  breaker: boolean
  /** Longest call, in seconds, where the gate has not noted one. */
  maxSeconds: number
  /** What was not dialled within this time is not dialled any more, in milliseconds. */
  staleMs: number
}

/** What one look at the queue takes. */
export interface Claim {
  /** A UUID of this look's own: its rows can be given back also where its answer was lost. */
  claim: string
  limit: number
  leaseMs: number
}

/**
 * Takes up to `limit` rows that are due, that nothing was sent for, and that may be dialled now, the oldest first. Processes share: a row
 * goes to one of them.
 */
export async function claimRequests(
  db: Db,
  { claim, limit, leaseMs }: Claim,
  { breaker, staleMs }: DialRules,
): Promise<ClaimedRequest[]> {
  const { rows } = await db.query<ClaimedRequest>(
    `with due as (
       select id from call_desk.call_requests r
       where kind = 'phone' and state in ('queued', 'dialling') and platform_call_id is null and sent_at is null
         and run_at <= now() and (lease_until is null or lease_until < now())
         and created_at >= now() - $4::float8 * interval '1 ms' and ${barOf('r', '$3')} is null
       order by run_at limit $1 for update of r skip locked)
     update call_desk.call_requests r
     set claim = $5, lease_until = now() + $2::float8 * interval '1 ms', updated_at = now()
     from due where r.id = due.id
     returning r.id, r.claim, r.phone, r.slug, r.attempts, r.traceparent,
       (select phone_number_id from call_desk.caller_ids i where i.slug = r.slug) as "callerId"`,
    [limit, leaseMs, breaker, staleMs, claim],
    { prepared: true },
  )
  return rows
}

/** How the last look before the dial went. */
export type Sending =
  /** The request to the platform begins now. */
  | { begun: true; maxSeconds: number }
  /** It may not be dialled any more, and is closed. */
  | { begun: false; state: 'refused' | 'failed'; refusal: Refusal }

/**
 * The last look before the dial. If the row may still be dialled, it notes that the request to the platform begins; otherwise, and also
 * where `bar` names a reason, it closes the row. From here on the row is never sent again, unless the platform definitely refuses.
 * Undefined when the lease ran out and another worker has the row: then nothing may be sent.
 * A pause marks every row that may be dialled, and no row is stored meanwhile. So the pause sees this row, or this look sees the pause.
 */
export async function beginSending(
  db: Db,
  { id, claim }: ClaimedRequest,
  leaseMs: number,
  { breaker, maxSeconds }: DialRules,
  bar?: Refusal,
): Promise<Sending | undefined> {
  const { rows } = await db.query<{
    state: 'dialling' | 'refused' | 'failed'
    bar: Refusal | null
    max: number
  }>(
    `with held as (
       select id, phone, state, hang_up_at, hang_up_reason from call_desk.call_requests
       where id = $1 and kind = 'phone' and claim = $2 and sent_at is null and lease_until > now() and $4::jsonb ? state
       for update),
     judged as (select h.id, h.state, coalesce(${barOf('h', '$5')}, $7) as bar from held h),
     moved as (
       update call_desk.call_requests r
       set state = case when j.bar is null then 'dialling' when j.state = 'queued' then 'refused' else 'failed' end,
         refusal = j.bar,
         last_error = coalesce(j.bar, r.last_error),
         refused_at = case when j.bar is not null and j.state = 'queued' then now() end,
         failed_at = case when j.bar is not null and j.state <> 'queued' then now() end,
         dialling_at = case when j.bar is null then coalesce(r.dialling_at, now()) else r.dialling_at end,
         sent_at = case when j.bar is null then now() end,
         attempts = r.attempts + case when j.bar is null then 1 else 0 end,
         lease_until = case when j.bar is null then now() + $3::float8 * interval '1 ms' end,
         max_seconds = coalesce(r.max_seconds, $6), updated_at = now()
       from judged j where r.id = j.id
       returning r.id, r.state, j.bar, r.max_seconds)
     select state, bar, max_seconds as max, case when bar is not null then call_desk.settle_spend(id, 0) end from moved`,
    [id, claim, leaseMs, [...statesBefore('dialling'), 'dialling'], breaker, maxSeconds, bar],
    { prepared: true },
  )
  const [row] = rows
  if (!row) return undefined
  if (row.bar === null || row.state === 'dialling') return { begun: true, maxSeconds: row.max }
  return { begun: false, state: row.state, refusal: row.bar }
}

/** Gives back what one look at the queue took, as far as nothing was sent for it. */
export async function releaseAll(db: Db, claim: string): Promise<void> {
  await db.query(
    `update call_desk.call_requests set claim = null, lease_until = null, updated_at = now()
     where claim = $1 and sent_at is null and state in ('queued', 'dialling') and platform_call_id is null`,
    [claim],
  )
}

/** Gives a row back that nothing was sent for. */
export async function releaseClaim(db: Db, { id, claim }: ClaimedRequest): Promise<void> {
  await db.query(
    `update call_desk.call_requests set claim = null, lease_until = null, updated_at = now()
     where id = $1 and claim = $2 and sent_at is null`,
    [id, claim],
  )
}
