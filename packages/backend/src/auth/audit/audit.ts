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

/** Writes down what was done, by whom, from where; in the transaction that does it. */
export async function audit(tx: Queryable, { action, actor, address, traits }: AuditEntry): Promise<void> {
  const payload = {
    action,
    actor_id: actor?.id ?? '00000000-0000-0000-0000-000000000000',
    actor_username: actor?.email ?? (actor ? '' : 'service_role'),
    actor_via_sso: false,
    log_type: 'account',
    ...(traits && { traits }),
  }
  await tx.query('insert into auth.audit_log_entries (payload, ip_address) values ($1, $2)', [
    payload,
    address,
  ])
}
