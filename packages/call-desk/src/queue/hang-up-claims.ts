import { type Db, isOver } from '@heyline/database'

/** A placed call that is to be ended now. */
export interface CallToEnd {
  id: string
  /** The platform's id. */
  callId: string
  controlUrl: string | null
}

/** Seconds that a call gets beyond its longest duration, to ring and to end by itself. */
const GRACE_SECONDS = 60

/** In SQL: the wait for the next try. */
const AGAIN = "$2::float8 * interval '1 ms'"

/**
 * Takes up to `limit` calls that are to be ended, and puts off the next try. Processes share: each call goes to one of them. A call that
 * is over, or must be over by its longest duration, is not taken again.
 */
export async function claimHangUps(
  db: Db,
  limit: number,
  { againMs, maxSeconds }: { againMs: number; maxSeconds: number },
): Promise<CallToEnd[]> {
  const { rows } = await db.query<CallToEnd>(
    `with due as (
       select id, case
           -- Taken for not placed, it may have begun at any time before the last news.
           when state = 'failed' then platform_call_id is not null and ended_at is null and recorded_at is null and updated_at > longest
           else state in ('dialling', 'ringing', 'in-progress', 'unknown') and sent_at > longest end as alive
       from call_desk.call_requests
       cross join lateral (select now() - (coalesce(max_seconds, $3) + ${GRACE_SECONDS}) * interval '1 second' as longest) begun
       where ${isOver('hang_up_at', AGAIN)} and (platform_call_id is not null or state in ('ended', 'refused', 'failed'))
       order by hang_up_at limit $1 for update of call_requests skip locked),
     claimed as (
       update call_desk.call_requests r
       set hang_up_at = case when due.alive then now() + ${AGAIN} end
       from due where r.id = due.id
       returning r.id, r.platform_call_id, r.control_url, due.alive)
     select id, platform_call_id as "callId", control_url as "controlUrl" from claimed where alive`,
    [limit, againMs, maxSeconds],
    { prepared: true },
  )
  return rows
}

/** The next try is after this time, or earlier. */
export async function hastenHangUp(db: Db, id: string, delayMs: number): Promise<void> {
  await db.query(
    `update call_desk.call_requests set hang_up_at = now() + $2::float8 * interval '1 ms'
     where id = $1 and hang_up_at > now() + $2::float8 * interval '1 ms'`,
    [id, delayMs],
  )
}

/** Notes where the platform takes commands for a call. */
export async function noteControlUrl(db: Db, id: string, controlUrl: string): Promise<void> {
  await db.query('update call_desk.call_requests set control_url = $2 where id = $1', [id, controlUrl])
}
