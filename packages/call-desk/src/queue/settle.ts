import type { Db } from '@heyline/database'
import { type CallState, statesBefore } from '../call/call-state.js'
import { SWITCHES_CHANNEL } from '../gate/switches.js'
import type { ClaimedRequest } from './claim.js'

/** A call that the platform has taken. */
export interface PlacedCall {
  /** The platform's id. */
  callId: string
  /** Where it takes commands for the call. */
  controlUrl: string | undefined
}

/**
 * Stores the platform's id of the call, whatever has happened to the row meanwhile. A row that was closed as not placed gets its id with
 * the news of the call. If the call is to be ended already, the hang-ups are notified.
 */
export async function settlePlaced(
  db: Db,
  { id, claim }: ClaimedRequest,
  { callId, controlUrl }: PlacedCall,
  newsMs: number,
): Promise<void> {
  await db.query(
    `with placed as (
       update call_desk.call_requests
       set platform_call_id = coalesce(platform_call_id, $3), control_url = coalesce(control_url, $5),
         lease_until = null, last_error = null,
         check_at = now() + $4::float8 * interval '1 ms', updated_at = now()
       where id = $1 and claim = $2 and state <> 'failed'
       returning hang_up_at)
     select pg_notify('${SWITCHES_CHANNEL}', '') from placed where hang_up_at is not null`,
    [id, claim, callId, newsMs, controlUrl],
    { prepared: true },
  )
}

/**
 * Certainly no call was placed: the row is due again after the delay. It becomes `failed` if that would be later than promised, or if it
 * was `unknown` already. Resolves with the state, or undefined when the row is no longer this worker's.
 */
export async function settlePostponed(
  db: Db,
  { id, claim }: ClaimedRequest,
  reason: string,
  { delayMs, promiseMs }: { delayMs: number; promiseMs: number },
): Promise<CallState | undefined> {
  const { rows } = await db.query<{ state: CallState }>(
    `with late as (
       select id, now() + $3::float8 * interval '1 ms' > created_at + $4::float8 * interval '1 ms' as late
       from call_desk.call_requests where id = $1),
     settled as (
       update call_desk.call_requests r
       set sent_at = null, claim = null, lease_until = null, run_at = now() + $3::float8 * interval '1 ms', last_error = $5,
         -- The row's own state, which may have changed while this waited for it.
         state = case when late or r.state = 'unknown' then 'failed' else r.state end,
         failed_at = case when late or r.state = 'unknown' then now() end, updated_at = now()
       from late
       where r.id = late.id and r.claim = $2 and r.platform_call_id is null and $6::jsonb ? r.state
       returning r.id, r.state)
     select state, case when state = 'failed' then call_desk.settle_spend(id, 0) end from settled`,
    [id, claim, delayMs, promiseMs, reason, statesBefore('failed')],
  )
  return rows[0]?.state
}

/** The row is over for the worker: `failed` (nothing was placed, or paid) or `unknown` (something may have been). */
export async function settleClosed(
  db: Db,
  { id, claim }: ClaimedRequest,
  state: 'failed' | 'unknown',
  reason: string,
): Promise<void> {
  await db.query(
    `with closed as (
       update call_desk.call_requests
       set state = $3, ${state}_at = now(), lease_until = null, last_error = $4, updated_at = now()
       where id = $1 and claim = $2 and platform_call_id is null and $5::jsonb ? state
       returning id, state),
     -- The platform's news of the end may have been faster. Why the call was not placed is known here alone.
     explained as (
       update call_desk.call_requests set last_error = $4
       where id = $1 and claim = $2 and state = 'ended' and last_error is null and $3 = 'failed'
         and not exists (select from closed))
     select case when state = 'failed' then call_desk.settle_spend(id, 0) end from closed`,
    [id, claim, state, reason, statesBefore(state)],
  )
}
