import { randomUUID } from 'node:crypto'
import { type Db, type ErasedBy, type ErasureMark, erasedSince, type Queryable } from '@heyline/database'
import { traceparent } from '@heyline/kit/trace'
import { type CallState, isInFlight } from '../call/call-state.js'
import type { BreakerReason } from '../gate/breaker.js'
import type { Gate, Verdict } from '../gate/gate.js'
import type { Asked } from '../gate/gate-facts.js'
import type { BusyRefusal, Refusal } from '../gate/refusal.js'
import { GATE_LOCK } from '../gate/switches.js'
import { useCheck } from '../human-check/used-checks.js'

/** The channel that tells workers of a new request. */
export const REQUESTS_CHANNEL = 'call_desk_requests'

/** What the human check found of a request. */
export type CheckResult = { result: 'not_asked' | 'failed' } | { result: 'passed'; id: string }

export interface NewRequest extends Asked {
  /** SHA-256 of the idempotency key, if there was one. */
  idempotencyKey: string | null
  bodyHash: string
  check: CheckResult
}

/** A request of a visitor. */
export interface VisitorsRequest extends NewRequest {
  /** Read before the visitor was looked up: of who was erased since then nothing is stored. */
  erasures: ErasureMark
}

/** A stored request, as far as the webhook answers with it. */
export interface StoredRequest {
  id: string
  state: CallState
}

/** What became of a reservation. */
export type Reservation =
  | { result: 'stored'; request: StoredRequest }
  /** An earlier request of the same key stands in for this one. */
  | { result: 'found'; request: StoredRequest }
  /** The gate did not let it pass. Of a flood nothing is stored. */
  | { result: 'refused'; refusal: Refusal; request: StoredRequest | undefined; tripped?: BreakerReason }
  /** The key belongs to a request with another body. */
  | { result: 'mismatch' }
  /** The visitor or the number was erased meanwhile. Nothing is stored, and no check is used up. */
  | { result: 'erased'; by: ErasedBy }

/**
 * One reservation at a time, over all processes: what the gate counts stays true until the request is stored. It is the ledger's lock.
 * Without `jit off`, Postgres would compile the gate's statement for half a second each time.
 */
export const LOCK_STATEMENT = `select set_config('jit', 'off', true), ${GATE_LOCK}`

/** The request of this key, which is good for 24 hours. */
export async function findByKey(
  db: Queryable,
  idempotencyKey: string,
  bodyHash: string,
): Promise<Reservation | undefined> {
  const { rows } = await db.query<StoredRequest & { same: boolean }>(
    `select id, state, body_hash = $2 as same from call_desk.call_requests
     where idempotency_key = $1 and created_at > now() - interval '24 hours'`,
    [idempotencyKey, bodyHash],
    { prepared: true },
  )
  const [row] = rows
  if (!row) return undefined
  return row.same ? { result: 'found', request: { id: row.id, state: row.state } } : { result: 'mismatch' }
}

/** Frees a key that is too old to be anybody's repetition. */
async function freeKey(tx: Queryable, idempotencyKey: string): Promise<void> {
  await tx.query(
    `update call_desk.call_requests set idempotency_key = null
     where idempotency_key = $1 and created_at <= now() - interval '24 hours'`,
    [idempotencyKey],
  )
}

/**
 * How the request is refused where its number has a call in flight: there is no second one. Whoever pressed twice on one page is told the
 * same twice; on another page, nobody is to wait for a call that will not come. A call to us from a number that is not proven is perhaps
 * somebody else's, and so is one that was not answered yet: by SIP anybody makes up what is proven by nothing before its ACK.
 */
export async function findBusy(
  tx: Queryable,
  { number, slug, idempotencyKey }: NewRequest,
): Promise<BusyRefusal | undefined> {
  const { rows } = await tx.query<{ slug: string }>(
    `select r.slug from call_desk.call_requests r where r.phone = $1 and not r.unproven
       and (not r.inbound or r.in_progress_at is not null) and ${isInFlight('r')}`,
    [number.e164],
    { prepared: true },
  )
  const [first] = rows
  if (!first) return undefined
  return first.slug === slug && idempotencyKey === null ? 'repeated' : 'in_flight'
}

/** The earlier request of the same key; without one, the key is free from here on. */
async function findRepeated(tx: Queryable, request: NewRequest): Promise<Reservation | undefined> {
  const { idempotencyKey, bodyHash } = request
  if (idempotencyKey === null) return undefined
  const earlier = await findByKey(tx, idempotencyKey, bodyHash)
  if (!earlier) await freeKey(tx, idempotencyKey)
  return earlier
}

/** Whether the human check failed. A check that was passed is used up here, whatever the answer will be. */
export async function isCheckFailed(tx: Queryable, check: CheckResult): Promise<boolean> {
  if (check.result === 'passed') return !(await useCheck(tx, check.id))
  return check.result === 'failed'
}

/**
 * Reserves the money, stores the request as `queued` or `refused`, and tells the workers, in one statement. Undefined where the money is
 * spent and a flood's refusals are not stored.
 */
export async function insertRequest(
  tx: Queryable,
  request: NewRequest,
  { refusal, spend, flood }: Verdict,
  maxSeconds: number,
): Promise<(StoredRequest & { refusal: Refusal | null }) | undefined> {
  const { number, slug, client, bodyHash } = request
  // A key whose number was busy may be used again when that call is over.
  const idempotencyKey = refusal === 'in_flight' ? null : request.idempotencyKey
  const { rows } = await tx.query<StoredRequest & { refusal: Refusal | null }>(
    `with money as (
       select coalesce($2::text, case when $3::bigint is not null
         and call_desk.reserve_spend($1::uuid, $3::bigint, $4::bigint, $5::bigint, now()) is not null
         then 'budget_exhausted' end) as refusal),
     added as (
       insert into call_desk.call_requests (id, state, refusal, refused_at, phone, slug, idempotency_key, body_hash,
         country, prefix, address, network, max_seconds, traceparent)
       select $1::uuid, case when refusal is null then 'queued' else 'refused' end, refusal,
         case when refusal is not null then now() end, $6, $7, $8, $9, $10, $11, $12, $13, $14::int, $16
       from money where refusal is null or not $15::boolean returning id, state, refusal)
     select id, state, refusal, case when state = 'queued' then pg_notify('${REQUESTS_CHANNEL}', id::text) end from added`,
    [
      randomUUID(),
      refusal,
      spend?.amount,
      spend?.dayBudget,
      spend?.monthBudget,
      number.e164,
      slug,
      idempotencyKey,
      bodyHash,
      number.country,
      number.prefix,
      client?.address,
      client?.network,
      maxSeconds,
      flood,
      traceparent(),
    ],
    { prepared: true },
  )
  const [row] = rows
  if (!row && !flood) throw new Error('The call request was not stored.')
  return row
}

/** Has a reservation wait for its turn. Rejects with a `NoTurnError` where none came. */
export type InTurn = (store: () => Promise<Reservation>) => Promise<Reservation>

/** What stores a request. */
export interface Reserver {
  db: Db
  gate: Gate
  inTurn?: InTurn | undefined
  /** Who asks, where it is not the visitor: triggers write it into the timeline. */
  actor?: string
}

/**
 * Stores a request, unless an earlier one with the same key stands in for it. The gate decides in the same transaction, one request at a
 * time over all processes. If that fails, nothing is stored and nothing dialled. Waiting for the lock takes a connection, so only a few
 * wait there, and the others wait for `inTurn`; it is left out where the caller waited in a line of its own. Rejects with a `NoTurnError` when
 * a request waited too long.
 */
export async function reserve(
  { db, gate, inTurn = (store) => store(), actor }: Reserver,
  request: VisitorsRequest,
): Promise<Reservation> {
  const opened = await gate.open(request)
  const store = async (tx: Queryable): Promise<Reservation> => {
    if (actor !== undefined) await tx.query("select set_config('heyline.actor', $1, true)", [actor])
    await tx.query(LOCK_STATEMENT)
    const by = await erasedSince(tx, request.erasures, { slug: request.slug, number: request.number.e164 })
    if (by) return { result: 'erased', by }
    const repeated = await findRepeated(tx, request)
    if (repeated) return repeated
    const checkFailed = await isCheckFailed(tx, request.check)
    const busy = await findBusy(tx, request)
    const verdict = await gate.decide(tx, opened, { checkFailed, busy })
    const tripped = verdict.tripped && { tripped: verdict.tripped }
    if (verdict.refusal && verdict.flood)
      return { result: 'refused', refusal: verdict.refusal, request: undefined, ...tripped }
    const row = await insertRequest(tx, request, verdict, gate.settings.maxSeconds)
    if (!row) return { result: 'refused', refusal: 'budget_exhausted', request: undefined, ...tripped }
    const { id, state, refusal } = row
    if (refusal) return { result: 'refused', refusal, request: { id, state }, ...tripped }
    return { result: 'stored', request: { id, state } }
  }
  return await inTurn(() => db.transaction(store))
}
