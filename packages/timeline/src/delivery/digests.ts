import type { Db, Queryable } from '@heyline/database'
import type { EndpointRow } from '../endpoints/endpoint-rows.js'
import { EVENT_COLUMNS, type EventRow, eventOf } from '../events/event.js'
import type { Digest } from '../messages/event-mail.js'
import type { TryResult } from '../outgoing/try-result.js'
import { type Claim, hasRunAtCome, isHeld } from './claims.js'

/** Most events that one message takes, and most of them that it lists: the newest. */
const DAILY = { taken: 20_000, listed: 200 }
const boundsOf = ({ kind, isDigest }: Pick<EndpointRow, 'kind' | 'isDigest'>) =>
  isDigest ? DAILY : { taken: 1_000, listed: kind === 'slack' ? 100 : 1_000 }

export interface ClaimedDigest extends Digest {
  /** Tries before this one, of that which was tried most. */
  attempts: number
}

/**
 * Claims what is due for a digest, the oldest first; undefined where nothing is, or another process sends to the endpoint. What comes behind
 * something of its lane that waits for its next try waits, too.
 */
export async function claimDigest(
  db: Db,
  endpoint: Pick<EndpointRow, 'kind' | 'isDigest'>,
  { endpointId, claim, leaseMs }: Claim,
): Promise<ClaimedDigest | undefined> {
  const { taken: most, listed } = boundsOf(endpoint)
  const taken = await db.transaction(async (tx) => {
    const free = await tx.query('select from timeline.endpoints where id = $1 for update skip locked', [
      endpointId,
    ])
    const busy = await tx.query(
      `select from timeline.deliveries where endpoint_id = $1 and state = 'pending' and ${isHeld('lease_until')} limit 1`,
      [endpointId],
    )
    if (free.rows.length === 0 || busy.rows.length > 0) return []
    const { rows } = await tx.query<{ attempts: number }>(
      `with waiting as (
         select event_seq, bool_and(${hasRunAtCome('run_at')}) over (partition by lane order by event_seq) as is_due
         from timeline.deliveries where endpoint_id = $1 and state = 'pending'),
       due as (select event_seq from waiting where is_due order by event_seq limit ${most}),
       claimed as (
         update timeline.deliveries d set claim = $2, lease_until = now() + $3::float8 * interval '1 millisecond'
         from due where d.endpoint_id = $1 and d.event_seq = due.event_seq returning d.attempts)
       select count(*)::int as count, max(attempts) as attempts from claimed having count(*) > 0`,
      [endpointId, claim, leaseMs],
    )
    return rows
  })
  const [{ attempts } = { attempts: 0 }] = taken
  return taken.length === 0
    ? undefined
    : { attempts, ...(await claimedEvents(db, endpointId, claim, listed)) }
}

async function claimedEvents(
  db: Queryable,
  endpointId: string,
  claim: string,
  listed: number,
): Promise<Digest> {
  const { rows } = await db.query<EventRow & { name: string | null; count: number }>(
    `select ${EVENT_COLUMNS}, v.name, (count(*) over ())::int as count
     from timeline.deliveries d join timeline.events e on e.seq = d.event_seq left join public.visitors v on v.slug = e.slug
     where d.endpoint_id = $1 and d.claim = $2 order by e.seq desc limit ${listed}`,
    [endpointId, claim],
  )
  return {
    count: rows[0]?.count ?? 0,
    events: rows.toReversed().map(({ name, count: _, ...row }) => ({ ...eventOf(row), name })),
  }
}

/** The wait after one more try that failed, in ms; null where it was the last. */
const WAIT = '($4::jsonb ->> attempts)::float8'

/**
 * Notes what became of a digest, unless another process has claimed it meanwhile. The log has it with its first event. Where it failed, each
 * event waits as long as after so many tries of its own: `waits`, in ms, the first for the first try.
 */
export async function settleDigest(
  db: Queryable,
  { endpointId, claim }: Claim,
  { status, error, ms, waits }: TryResult & { ms: number; waits: readonly number[] },
): Promise<void> {
  await db.query(
    `with done as (
       update timeline.deliveries set attempts = attempts + 1, claim = null, lease_until = null,
         state = case when $3 then 'delivered' when ${WAIT} is null then 'dead' else 'pending' end,
         run_at = now() + coalesce(${WAIT}, 0) * interval '1 millisecond',
         done_at = case when $3 or ${WAIT} is null then now() end
       where endpoint_id = $1 and claim = $2 returning event_seq)
     insert into timeline.attempts (endpoint_id, event_seq, ms, status, error)
     select $1::uuid, min(event_seq), $5::int, $6::int, $7::text from done having count(*) > 0`,
    [endpointId, claim, error === null, waits, ms, status, error],
  )
}
