import type { HidingPlace, Queryable } from '@heyline/database'
import { isInFlight } from '../call/call-state.js'

/** Where the desk has what was said or written by others, or what calls were to tell them, and may tell of a number. The messages come first: requests are made of them. */
export const DESK_TEXTS: readonly HidingPlace[] = [
  {
    table: 'call_desk.inbox',
    where: 'r.done_at is null',
    order: [
      ['received_at', 'timestamptz'],
      ['id', 'text'],
    ],
    texts: ['last_error'],
    // An `InboxMessage`: its ids, addresses and times are no words.
    documents: [{ column: 'body', words: ['status', 'endedReason', 'transcript', 'summary', 'text'] }],
  },
  {
    table: 'call_desk.call_requests',
    where: 'true',
    order: [
      ['created_at', 'timestamptz'],
      ['id', 'uuid'],
    ],
    texts: ['transcript', 'summary', 'last_error', 'ended_reason'],
  },
  {
    table: 'call_desk.campaigns',
    where: 'true',
    order: [
      ['created_at', 'timestamptz'],
      ['id', 'uuid'],
    ],
    texts: ['name'],
  },
  {
    table: 'call_desk.campaign_customers',
    where: 'true',
    // A time that only goes on: who is asked for again comes later.
    order: [
      ['run_at', 'timestamptz'],
      ['id', 'uuid'],
    ],
    json: ['customer'],
  },
]

/** Longest that a call lasts, and then some. */
const LONGEST = '1 day'

/** When the oldest call was asked for whose words the desk still waits for; of those that were asked for before `until`. Undefined: there is none. */
export async function oldestUntold(db: Queryable, until: Date): Promise<Date | undefined> {
  const { rows } = await db.query<{ oldest: Date | null }>(
    `select min(r.created_at) as oldest from call_desk.call_requests r
     where r.created_at between now() - interval '${LONGEST}' and $1 and r.recorded_at is null
       and (${isInFlight('r')} or r.state in ('ended', 'unknown', 'failed') and r.platform_call_id is not null and r.updated_at > now() - interval '1 hour')`,
    [until],
  )
  return rows[0]?.oldest ?? undefined
}
