import { randomUUID } from 'node:crypto'
import type { Db, Queryable } from '@heyline/database'
import { statesBefore } from '../call/call-state.js'
import type { Refusal } from '../gate/refusal.js'
import { SWITCHES_CHANNEL } from '../gate/switches.js'
import type { WebAsked } from './web-facts.js'
import { type WebGateSettings, worstCase } from './web-gate-settings.js'

/** A browser call before it is stored. */
export interface NewWebCall extends WebAsked {
  refusal: Refusal | undefined
  /** Nothing is stored of a refusal. */
  flood: boolean
}

/** What was stored; undefined where it was a refusal of a flood. */
export interface StoredWebCall {
  id: string | undefined
  refusal: Refusal | undefined
}

/**
 * Reserves the money and stores the call, in one statement, under the gate's lock. It is stored as sent, so that no worker ever dials it;
 * `beginWebCall`, `closeWebCall` or the sweep bring it further.
 */
export async function insertWebCall(
  tx: Queryable,
  { slug, client, refusal, flood }: NewWebCall,
  settings: WebGateSettings,
): Promise<StoredWebCall> {
  const { rows } = await tx.query<{ id: string | null; refusal: Refusal | null }>(
    `with money as (
       select coalesce($2::text, case when $3::bigint is not null
         and call_desk.reserve_spend($1::uuid, 'web', $3::bigint, $4::bigint, $5::bigint, now()) is not null
         then 'budget_exhausted' end) as refusal),
     added as (
       insert into call_desk.call_requests (id, kind, state, refusal, refused_at, dialling_at, sent_at, attempts, slug, body_hash,
         address, network, max_seconds)
       select $1::uuid, 'web', case when refusal is null then 'dialling' else 'refused' end, refusal,
         case when refusal is not null then now() end, case when refusal is null then now() end,
         case when refusal is null then now() end, case when refusal is null then 1 else 0 end, $6, '', $7, $8, $9::int
       from money where refusal is null or not $10::boolean
       returning id)
     select (select id from added) as id, refusal from money`,
    [
      randomUUID(),
      refusal,
      worstCase(settings),
      settings.dayBudget,
      settings.monthBudget,
      slug,
      client?.address,
      client?.network,
      settings.maxSeconds,
      flood,
    ],
    { prepared: true },
  )
  const [row] = rows
  if (!row || (row.refusal === null && row.id === null)) throw new Error('The browser call was not stored.')
  return { id: row.id ?? undefined, refusal: row.refusal ?? undefined }
}

/** False once the row was removed: its visitor was erased. */
export async function isWebCallStored(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db.query('select from call_desk.call_requests where id = $1', [id], {
    prepared: true,
  })
  return rowCount > 0
}

/** A call that the platform has made. */
export interface BegunWebCall {
  /** The platform's id. */
  callId: string
  /** Where it takes commands for the call; asked for where it is not given. */
  controlUrl?: string | undefined
}

/**
 * The platform has made the call: from here on its messages and the reconciler find the row. Resolves with `ending` where the call is to
 * be ended at once: calls were paused meanwhile, or the row was closed before this came. Its money is then reserved again.
 */
export async function beginWebCall(
  db: Db,
  id: string,
  { callId, controlUrl }: BegunWebCall,
  newsMs: number,
): Promise<'begun' | 'ending'> {
  const { rows } = await db.query<{ ending: boolean }>(
    `with held as (
       select id, state from call_desk.call_requests where id = $1 and kind = 'web' and platform_call_id is null for update),
     begun as (
       update call_desk.call_requests r
       set platform_call_id = $2, control_url = $3, check_at = now() + $4::float8 * interval '1 ms', updated_at = now(),
         hang_up_at = case when h.state = 'dialling' then r.hang_up_at else now() end,
         hang_up_reason = case when h.state = 'dialling' then r.hang_up_reason else coalesce(r.hang_up_reason, 'not_placed') end
       from held h where r.id = h.id
       returning r.id, h.state, r.hang_up_at is not null as ending)
     select ending, case when ending then pg_notify('${SWITCHES_CHANNEL}', 'hang-up')::text end,
       case when state = 'failed' then call_desk.settle_spend(id, null)::text end from begun`,
    [id, callId, controlUrl, newsMs],
    { prepared: true },
  )
  return rows[0]?.ending === false ? 'begun' : 'ending'
}

/** No call came of it: `failed` gives its money back; `unknown` leaves that to the sweep, since the platform may have made one. */
export async function closeWebCall(
  db: Db,
  id: string,
  state: 'failed' | 'unknown',
  reason: string,
): Promise<void> {
  await db.query(
    `with closed as (
       update call_desk.call_requests
       set state = $2, ${state}_at = now(), last_error = $3, updated_at = now()
       where id = $1 and kind = 'web' and platform_call_id is null and $4::jsonb ? state
       returning id, state)
     select case when state = 'failed' then call_desk.settle_spend(id, 0)::text end from closed`,
    [id, state, reason, statesBefore(state)],
  )
}

/**
 * Closes browser calls of which no platform id came in time: their process has ended, or the platform's answer was lost. Only that
 * answer holds the address of the room, so nobody can be in it, and the money goes back. Resolves with their ids.
 */
export async function sweepWebCalls(db: Db, afterMs: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `with lost as (
       select id from call_desk.call_requests
       where kind = 'web' and state in ('dialling', 'unknown') and platform_call_id is null
         and created_at < now() - $1::float8 * interval '1 ms'
       for update skip locked),
     closed as (
       update call_desk.call_requests r
       set state = 'failed', failed_at = now(), updated_at = now(), check_at = null,
         last_error = coalesce(r.last_error, 'not_begun: the platform named no call in time')
       from lost where r.id = lost.id
       returning r.id)
     select id, call_desk.settle_spend(id, 0)::text from closed`,
    [afterMs],
    { prepared: true },
  )
  return rows.map(({ id }) => id)
}
