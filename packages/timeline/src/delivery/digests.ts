import type { Db, Queryable } from '@heyline/database'
import { EVENT_COLUMNS, type EventRow, eventOf } from '../events/event.js'
import type { Digest } from '../messages/event-mail.js'
import { type Claim, type Outcome, stateOf } from './claims.js'

/** Most events that one mail takes, and most of them that it lists. */
const TAKEN_MOST = 20_000
const LISTED_MOST = 200

export interface ClaimedDigest extends Digest {
  /** Tries before this one. */
  attempts: number
}

/** Claims all that is due for a digest; undefined where nothing is, or another process sends it. */
export async function claimDigest(
  db: Db,
  { endpointId, claim, leaseMs }: Claim,
): Promise<ClaimedDigest | undefined> {
  const taken = await db.transaction(async (tx) => {
    const free = await tx.query('select from timeline.endpoints where id = $1 for update skip locked', [
      endpointId,
    ])
    const busy = await tx.query(
      `select from timeline.deliveries where endpoint_id = $1 and state = 'pending' and lease_until >= now() limit 1`,
      [endpointId],
    )
    if (free.rows.length === 0 || busy.rows.length > 0) return []
    const { rows } = await tx.query<{ attempts: number }>(
      `with due as (
         select event_seq from timeline.deliveries where endpoint_id = $1 and state = 'pending' and run_at <= now()
         order by event_seq limit ${TAKEN_MOST}),
       claimed as (
         update timeline.deliveries d set claim = $2, lease_until = now() + $3::float8 * interval '1 millisecond'
         from due where d.endpoint_id = $1 and d.event_seq = due.event_seq returning d.attempts)
       select count(*)::int as count, max(attempts) as attempts from claimed having count(*) > 0`,
      [endpointId, claim, leaseMs],
    )
    return rows
  })
  const [{ attempts } = { attempts: 0 }] = taken
  return taken.length === 0 ? undefined : { attempts, ...(await claimedEvents(db, endpointId, claim)) }
}

async function claimedEvents(db: Queryable, endpointId: string, claim: string): Promise<Digest> {
  const { rows } = await db.query<EventRow & { name: string | null; count: number }>(
    `select ${EVENT_COLUMNS}, v.name, (count(*) over ())::int as count
     from timeline.deliveries d join timeline.events e on e.seq = d.event_seq left join public.visitors v on v.slug = e.slug
     where d.endpoint_id = $1 and d.claim = $2 order by e.seq desc limit ${LISTED_MOST}`,
    [endpointId, claim],
  )
  return {
    count: rows[0]?.count ?? 0,
    events: rows.toReversed().map(({ name, count: _, ...row }) => ({ ...eventOf(row), name })),
  }
}

/** Notes what became of a digest, unless another process has claimed it meanwhile. The log has it with its first event. */
export async function settleDigest(
  db: Queryable,
  { endpointId, claim }: Claim,
  outcome: Outcome,
): Promise<void> {
  const { status, error, ms, waitMs = 0 } = outcome
  await db.query(
    `with done as (
       update timeline.deliveries set state = $3::text, attempts = attempts + 1, claim = null, lease_until = null,
         run_at = now() + $4::float8 * interval '1 millisecond', done_at = case when $3 <> 'pending' then now() end
       where endpoint_id = $1 and claim = $2 returning event_seq)
     insert into timeline.attempts (endpoint_id, event_seq, ms, status, error)
     select $1::uuid, min(event_seq), $5::int, $6::int, $7::text from done having count(*) > 0`,
    [endpointId, claim, stateOf(outcome), waitMs, ms, status, error],
  )
}
