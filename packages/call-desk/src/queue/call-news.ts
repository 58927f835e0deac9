import type { Db } from '@heyline/database'
import { type CallState, statesBefore } from '../call-state.js'

/** Something that was heard of a placed call, from whom and when ever. */
export interface CallNews {
  /** The platform's id. */
  callId: string
  /** Our own id, where the platform gave it back (as the call's name): it finds the row before its platform id is stored. */
  requestId?: string
  state?: 'ringing' | 'in-progress' | 'ended'
  ringingAt?: Date
  inProgressAt?: Date
  endedAt?: Date
  endedReason?: string
  /** The reason comes from the report of the call and stands above any other. */
  isReport?: boolean
}

/** A row that news moved, or left where it was. */
export interface NewsResult {
  id: string
  state: CallState
  was: CallState
}

/**
 * Brings news into the row: the state only moves forward, each time is the earliest heard of, and the report's reason stays. So any order
 * and any repetition of the same news give the same row. News of a call that is not ours changes nothing.
 */
export async function applyNews(db: Db, news: CallNews, newsMs: number): Promise<NewsResult | undefined> {
  const { rows } = await db.query<NewsResult>(
    `with before as (
       select id, state from call_desk.call_requests
       where (platform_call_id = $1 or (platform_call_id is null and id = $2::uuid and sent_at is not null))
         and state not in ('refused', 'failed')
       for update)
     update call_desk.call_requests r
     set platform_call_id = coalesce(r.platform_call_id, $1),
       state = case when $3::jsonb ? r.state then $4 else r.state end,
       ringing_at = least(r.ringing_at, $5::timestamptz),
       in_progress_at = least(r.in_progress_at, $6::timestamptz),
       ended_at = least(r.ended_at, $7::timestamptz),
       ended_reason = case when $9::boolean then coalesce($8, r.ended_reason) else coalesce(r.ended_reason, $8) end,
       check_at = now() + greatest($10::float8 * interval '1 ms', (now() - r.sent_at) / 10), updated_at = now()
     from before where r.id = before.id
     returning r.id, r.state, before.state as was`,
    [
      news.callId,
      news.requestId,
      news.state ? statesBefore(news.state) : [],
      news.state ?? 'queued',
      news.ringingAt,
      news.inProgressAt,
      news.endedAt,
      news.endedReason,
      news.isReport ?? false,
      newsMs,
    ],
  )
  return rows[0]
}

/** A placed call that has no final state. */
export interface CallToCheck {
  id: string
  callId: string
  /** Milliseconds since it was placed. */
  ageMs: number
}

/** Takes up to `limit` calls without news, and puts off the next look at them. Processes share: a call goes to one of them. */
export async function claimChecks(db: Db, limit: number, newsMs: number): Promise<CallToCheck[]> {
  const { rows } = await db.query<CallToCheck>(
    `with due as (
       select id from call_desk.call_requests
       where platform_call_id is not null and state in ('dialling', 'ringing', 'in-progress', 'unknown') and check_at <= now()
       order by check_at limit $1 for update skip locked)
     update call_desk.call_requests r
     set check_at = now() + greatest($2::float8 * interval '1 ms', (now() - r.sent_at) / 10)
     from due where r.id = due.id
     returning r.id, r.platform_call_id as "callId", (extract(epoch from now() - r.sent_at) * 1000)::float8 as "ageMs"`,
    [limit, newsMs],
  )
  return rows
}
