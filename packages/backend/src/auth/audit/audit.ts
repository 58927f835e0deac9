import type { Queryable } from '@heyline/database'

export interface AuditEntry {
  /** What was done, in Supabase Auth's words where it has one: `login`, `logout`, `user_modified`, … */
  action: string
  /** Whose account did it; left out for the secret key. */
  actor?: { id: string; email: string | null } | undefined
  address: string
  /** What else there is to say. Never a secret. */
  traits?: Record<string, unknown>
}

const NOBODY = '00000000-0000-0000-0000-000000000000'

/** Refused sign-ins that are written down in a day: of one address, and of all. Strangers cannot fill the disk. */
const REFUSALS_A_DAY = { address: 50, all: 1_000 }

/** Lines of one account and one action that are written down in a day. */
const REPEATS_A_DAY = 200

/** Writes down what was done, by whom, from where; in the transaction that does it. */
export async function audit(tx: Queryable, entry: AuditEntry): Promise<void> {
  await tx.query('insert into auth.audit_log_entries (payload, ip_address) values ($1, $2)', [
    payloadOf(entry),
    entry.address,
  ])
}

/** As `audit`, for what may have been done. Where it was not, the database is asked for as much: nobody shall see by the time what was. */
export async function auditIf(tx: Queryable, wasDone: boolean, entry: AuditEntry): Promise<void> {
  await tx.query('insert into auth.audit_log_entries (payload, ip_address) select $1, $2 where $3::boolean', [
    payloadOf(entry),
    entry.address,
    wasDone,
  ])
}

/**
 * As `audit`, for what an account can do again and again: unless its lines of this action were too many today, those alone that have the
 * traits `apart`. In a transaction that holds the account; elsewhere there may be one more for each that runs at the same time.
 */
export async function auditRepeated(
  tx: Queryable,
  entry: AuditEntry & Required<Pick<AuditEntry, 'actor'>>,
  apart: Record<string, unknown> = {},
) {
  const payload = payloadOf(entry)
  await tx.query(
    `insert into auth.audit_log_entries (payload, ip_address)
     select $1, $2 where (
       select count(*) from (
         select from auth.audit_log_entries
         where created_at > now() - interval '1 day' and payload ->> 'actor_id' = $3 and payload ->> 'action' = $4
           and coalesce(payload -> 'traits', '{}') @> $5
         limit ${REPEATS_A_DAY}) today) < ${REPEATS_A_DAY}`,
    [payload, entry.address, payload.actor_id, payload.action, apart],
  )
}

const payloadOf = ({ action, actor, traits }: AuditEntry) => ({
  action,
  actor_id: actor?.id ?? NOBODY,
  actor_username: actor?.email ?? (actor ? '' : 'service_role'),
  actor_via_sso: false,
  log_type: 'account',
  ...(traits && { traits }),
})

/**
 * Writes down that a sign-in was refused, unless too many were today. `email` is what was asked with; `id` is left out where it is nobody's.
 * It does the same for both: nobody shall see by the time which accounts there are.
 */
export async function auditRefusal(
  db: Queryable,
  { id = NOBODY, email, address }: { id?: string | undefined; email: string; address: string },
): Promise<void> {
  const action = 'login_refused'
  await db.query(
    `with refused as materialized (
       select ip_address from auth.audit_log_entries
       where created_at > now() - interval '1 day' and payload ->> 'action' = '${action}' limit ${REFUSALS_A_DAY.all})
     insert into auth.audit_log_entries (payload, ip_address)
     select $1, $2 where (select count(*) from refused) < ${REFUSALS_A_DAY.all}
       and (select count(*) from refused where ip_address = $2) < ${REFUSALS_A_DAY.address}`,
    [{ action, actor_id: id, actor_username: email, actor_via_sso: false, log_type: 'account' }, address],
  )
}
