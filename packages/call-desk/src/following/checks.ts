import { type Db, isOver } from '@heyline/database'
import { statesBefore } from '../call/call-state.js'
import { nextCheck } from '../news/news-sql.js'

/**
 * A request that the platform is to be asked about: a call in flight, one that ended without a record, one of a request that was taken for
 * not placed, or one that may not have been placed.
 */
export interface CallToCheck {
  id: string
  /** The platform's id; null where it is not known, and so neither is whether there is a call. */
  callId: string | null
  /** The call is known to have ended: what is left is its record. */
  isOver: boolean
  /** When the request to the platform began. */
  sentAt: Date
  /** Milliseconds since then. */
  ageMs: number
}

/** In SQL: nobody waits longer, but for a tenth of the request's age. */
const LONGEST_WAIT = "greatest(interval '10 minutes', (now() - sent_at) / 10)"
const IS_DUE = isOver('check_at', LONGEST_WAIT)

/** Takes up to `limit` of them without news, and puts off the next look. Processes share: a request goes to one of them. */
export async function claimChecks(db: Db, limit: number, newsMs: number): Promise<CallToCheck[]> {
  const { rows } = await db.query<CallToCheck>(
    // Two questions, as each has an index of its own: for both at once Postgres may read every row that changed of late.
    `with sent as (
       select id, check_at from call_desk.call_requests
       where sent_at is not null and recorded_at is null
         and state in ('dialling', 'ringing', 'in-progress', 'ended', 'unknown')
         and (platform_call_id is not null or (state = 'unknown' and kind = 'phone')) and (check_at is null or ${IS_DUE})
       order by check_at nulls first limit $1 for update skip locked),
     -- Calls that were taken for not placed.
     failed as (
       select id, check_at from call_desk.call_requests
       where state = 'failed' and platform_call_id is not null and recorded_at is null
         and updated_at > now() - interval '1 hour' and ${IS_DUE}
       order by check_at limit $1 for update skip locked),
     due as (select id from (table sent union all table failed) kinds order by check_at nulls first limit $1)
     update call_desk.call_requests r
     set check_at = ${nextCheck('r', '$2', "r.state = 'ended'")}
     from due where r.id = due.id
     returning r.id, r.platform_call_id as "callId",
       r.state = 'ended' or (r.state = 'failed' and r.ended_at is not null) as "isOver", r.sent_at as "sentAt",
       (extract(epoch from now() - r.sent_at) * 1000)::float8 as "ageMs"`,
    [limit, newsMs],
    { prepared: true },
  )
  return rows
}

/** The platform knows of no call for this request: it is `failed`, and gives back what was reserved. False where that was found out otherwise meanwhile. */
export async function closeNotPlaced(db: Db, id: string): Promise<boolean> {
  const { rows } = await db.query(
    `with closed as (
       update call_desk.call_requests
       set state = 'failed', failed_at = now(), updated_at = now(), check_at = null,
         -- The breaker asks whether a process of ours was gone.
         last_error = case when last_error like 'worker\\_lost:%' then last_error
           else 'not_placed: the platform knows no call of this request' end
       where id = $1 and state = 'unknown' and platform_call_id is null and $2::jsonb ? state
       returning id)
     select call_desk.settle_spend(id, 0)::text from closed`,
    [id, statesBefore('failed')],
  )
  return rows.length === 1
}

/** Nobody can find out whether the request was placed: it stays `unknown`, and is asked about no more. False where something was heard meanwhile. */
export async function giveUpUnknown(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db.query(
    `update call_desk.call_requests set recorded_at = now(), check_at = null, updated_at = now()
     where id = $1 and state = 'unknown' and platform_call_id is null and recorded_at is null`,
    [id],
  )
  return rowCount === 1
}
