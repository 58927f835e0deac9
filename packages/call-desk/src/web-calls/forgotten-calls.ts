import type { Queryable } from '@heyline/database'

/**
 * An SQL expression that takes the lock of forgotten calls until the transaction ends: who forgets calls has it alone, who stores calls that a
 * platform tells of shares it. So no call is stored by who read before it was forgotten.
 */
const FORGETTING = 'pg_advisory_xact_lock(1212763468, 3)'
const STORING = 'pg_advisory_xact_lock_shared(1212763468, 3)'

/** In SQL: what is stored of a platform's id. */
const hashed = (id: string): string => `encode(sha256(convert_to(${id}, 'UTF8')), 'hex')`

/** In SQL: whether the call with this id of the platform's was forgotten. */
export const isForgotten = (id: string): string =>
  `exists (select from call_desk.forgotten_calls f where f.id = ${hashed(id)})`

/**
 * Remembers that the browser calls among these requests are not to be stored again; `where` is SQL about `r`. To be asked in the transaction
 * that removes them, before that, and after it has removed their messages: who deals with those waits for this lock.
 */
export async function forgetCalls(tx: Queryable, where: string, parameters: unknown[]): Promise<void> {
  await tx.query(`select ${FORGETTING}`)
  await tx.query(
    `insert into call_desk.forgotten_calls (id)
     select ${hashed('r.platform_call_id')} from call_desk.call_requests r
     where ${where} and r.kind = 'web' and r.platform_call_id is not null
     on conflict (id) do update set forgotten_at = now()`,
    parameters,
  )
}

/** To be asked in a transaction that asks `isForgotten`, before that. */
export async function shareForgotten(tx: Queryable): Promise<void> {
  await tx.query(`select ${STORING}`)
}
