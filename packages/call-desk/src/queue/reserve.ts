import type { Db } from '@heyline/database'
import { type CallState, callStates } from '../call-state.js'

/** The channel that tells workers of a new request. */
export const requestsChannel = 'call_desk_requests'

/** States in which a request keeps its number busy: the predicate of the unique index. */
export const inFlightStates = callStates.filter((state) =>
  ['queued', 'dialling', 'ringing', 'in-progress'].includes(state),
)

export interface NewRequest {
  /** E.164. */
  phone: string
  slug: string
  /** SHA-256 of the idempotency key, if there was one. */
  idempotencyKey: string | null
  bodyHash: string
}

/** A stored request, as far as the webhook answers with it. */
export interface StoredRequest {
  id: string
  state: CallState
}

/** What became of a reservation. */
export type Reservation =
  | { result: 'stored'; request: StoredRequest }
  /** An earlier request stands in for this one: of the same key, or to the same number. */
  | { result: 'found'; request: StoredRequest }
  /** The key belongs to a request with another body. */
  | { result: 'mismatch' }
  /** The request has a key of its own, and its number is busy. */
  | { result: 'busy' }

/** The request of this key. */
export async function findByKey(
  db: Db,
  idempotencyKey: string,
  bodyHash: string,
): Promise<Reservation | undefined> {
  const { rows } = await db.query<StoredRequest & { same: boolean }>(
    'select id, state, body_hash = $2 as same from call_desk.call_requests where idempotency_key = $1',
    [idempotencyKey, bodyHash],
  )
  const [row] = rows
  if (!row) return undefined
  return row.same ? { result: 'found', request: { id: row.id, state: row.state } } : { result: 'mismatch' }
}

/** Stores the request and tells the workers, in one statement; unique indexes decide between requests that race. */
async function insert(
  db: Db,
  { phone, slug, idempotencyKey, bodyHash }: NewRequest,
): Promise<StoredRequest | undefined> {
  const { rows } = await db.query<StoredRequest>(
    `with added as (
       insert into call_desk.call_requests (phone, slug, idempotency_key, body_hash) values ($1, $2, $3, $4)
       on conflict do nothing returning id, state)
     select id, state, pg_notify('${requestsChannel}', id::text) from added`,
    [phone, slug, idempotencyKey, bodyHash],
  )
  return rows[0]
}

async function findInFlight(db: Db, phone: string): Promise<StoredRequest | undefined> {
  const { rows } = await db.query<StoredRequest>(
    'select id, state from call_desk.call_requests where phone = $1 and $2::jsonb ? state',
    [phone, inFlightStates],
  )
  return rows[0]
}

/** Stores a request, unless one of the same key or (without a key) to the same number in flight stands in for it. */
export async function reserve(db: Db, request: NewRequest): Promise<Reservation> {
  // The call that kept the number busy may end between the two statements; then the number is free.
  for (let attempt = 0; attempt < 3; attempt++) {
    const added = await insert(db, request)
    if (added) return { result: 'stored', request: { id: added.id, state: added.state } }
    if (request.idempotencyKey !== null) {
      return (await findByKey(db, request.idempotencyKey, request.bodyHash)) ?? { result: 'busy' }
    }
    const first = await findInFlight(db, request.phone)
    if (first) return { result: 'found', request: first }
  }
  return { result: 'busy' }
}
