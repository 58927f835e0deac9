import { isWithin, type Queryable } from '@heyline/database'
import { z } from 'zod'
import { EVENT_TYPES } from '../events/event.js'
import { wakeSenders } from './endpoint-rows.js'

/** Longest page of the log. */
export const LOG_LIMIT = 200
/** So many tries of a delivery stay in the log when it is replayed, and those of the last hour that arrived: `paceOf` counts them. */
const TRIES_KEPT = 16
const HOUR_MS = 3_600_000

export const DELIVERY_STATES = ['pending', 'delivered', 'dead'] as const

/** ISO 8601. */
const time = z.string()
const told = { eventId: z.uuid(), type: z.enum(EVENT_TYPES), slug: z.string().nullable() }

/** One try. */
export const attempt = z.object({
  ...told,
  at: time,
  ms: z.number(),
  /** The answer's status; null where none came, and for e-mail. */
  status: z.number().nullable(),
  /** Null where it was delivered. */
  error: z.string().nullable(),
})
export type Attempt = z.output<typeof attempt>

/** What became of an event for an endpoint. */
export const delivery = z.object({
  ...told,
  at: time,
  state: z.enum(DELIVERY_STATES),
  /** Tries so far. */
  attempts: z.number(),
  /** The next try, while it is pending. */
  runAt: time.nullable(),
  /** When it was delivered or given up. */
  doneAt: time.nullable(),
  /** Of the last try. */
  error: z.string().nullable(),
})
export type Delivery = z.output<typeof delivery>

/** Where the next page begins; null at the end. */
const next = z.string().nullable()
export const attemptPage = z.object({ attempts: z.array(attempt), next })
export const deliveryPage = z.object({ deliveries: z.array(delivery), next })
export type AttemptPage = z.output<typeof attemptPage>
export type DeliveryPage = z.output<typeof deliveryPage>

export interface LogQuery {
  /** The `next` of the page before. */
  before?: string | undefined
  /** At most `LOG_LIMIT`. */
  limit: number
}

type Timed<Row, Name extends keyof Row> = Omit<Row, Name> & { [Key in Name]: Date | Extract<Row[Key], null> }

/** The tries of an endpoint, the newest first. */
export async function listAttempts(
  db: Queryable,
  id: string,
  { before, limit }: LogQuery,
): Promise<AttemptPage> {
  const most = Math.min(limit, LOG_LIMIT)
  const { rows } = await db.query<Timed<Attempt, 'at'> & { place: string }>(
    `select a.id::text as place, e.id as "eventId", e.type, e.slug, a.at, a.ms, a.status, a.error
     from timeline.attempts a join timeline.events e on e.seq = a.event_seq
     where a.endpoint_id = $1 and ($2::bigint is null or a.id < $2) order by a.id desc limit $3`,
    [id, before, most + 1],
  )
  return {
    attempts: rows.slice(0, most).map(({ place: _, at, ...row }) => ({ ...row, at: at.toISOString() })),
    next: rows.length > most ? (rows[most - 1]?.place ?? null) : null,
  }
}

/** What an endpoint was told or is to be told, the newest event first. */
export async function listDeliveries(
  db: Queryable,
  id: string,
  { before, limit, state }: LogQuery & { state?: Delivery['state'] | undefined },
): Promise<DeliveryPage> {
  const most = Math.min(limit, LOG_LIMIT)
  const { rows } = await db.query<Timed<Delivery, 'at' | 'runAt' | 'doneAt'> & { place: string }>(
    `select d.event_seq::text as place, e.id as "eventId", e.type, e.slug, e.at, d.state, d.attempts,
       case when d.state = 'pending' then d.run_at end as "runAt", d.done_at as "doneAt",
       (select a.error from timeline.attempts a where a.endpoint_id = d.endpoint_id and a.event_seq = d.event_seq
        order by a.id desc limit 1) as error
     from timeline.deliveries d join timeline.events e on e.seq = d.event_seq
     where d.endpoint_id = $1 and ($2::bigint is null or d.event_seq < $2) and ($4::text is null or d.state = $4)
     order by d.event_seq desc limit $3`,
    [id, before, most + 1, state],
  )
  return {
    deliveries: rows.slice(0, most).map(({ place: _, at, runAt, doneAt, ...row }) => ({
      ...row,
      at: at.toISOString(),
      runAt: runAt?.toISOString() ?? null,
      doneAt: doneAt?.toISOString() ?? null,
    })),
    next: rows.length > most ? (rows[most - 1]?.place ?? null) : null,
  }
}

/**
 * Sends again: one event that was delivered or given up, or all that were given up. The tries begin anew. What was replayed comes after
 * what was delivered meanwhile. Resolves with how many there are.
 */
export async function replay(db: Queryable, id: string, eventId?: string): Promise<number> {
  const { rows } = await db.query<{ seq: string }>(
    `update timeline.deliveries d set state = 'pending', attempts = 0, run_at = now(), done_at = null, claim = null, lease_until = null
     where d.endpoint_id = $1 and (
       ($2::uuid is null and d.state = 'dead')
       or (d.state in ('dead', 'delivered') and d.event_seq = (select e.seq from timeline.events e where e.id = $2)))
     returning d.event_seq::text as seq`,
    [id, eventId],
  )
  if (rows.length === 0) return 0
  await db.query(
    `delete from timeline.attempts a using (
       select t.id, row_number() over (partition by t.event_seq order by t.id desc) as place from timeline.attempts t
       where t.endpoint_id = $1 and t.event_seq in (select jsonb_array_elements_text($2::jsonb)::bigint)) old
     where a.id = old.id and old.place > ${TRIES_KEPT} and not (a.error is null and ${isWithin('a.at', HOUR_MS)})`,
    [id, rows.map(({ seq }) => seq)],
  )
  await wakeSenders(db)
  return rows.length
}
