import type { Queryable } from '@heyline/database'

/** What the audit records: changes to whatever stops or allows calls. */
export const AUDIT_ACTIONS = [
  'calls_paused',
  'calls_resumed',
  'breaker_tripped',
  'limit_raised',
  'slug_reset',
  'do_not_call_added',
  'do_not_call_removed',
  'do_not_call_imported',
  'person_erased',
] as const

export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** Writes a line of the audit, in the transaction of the change itself. `detail` holds no telephone numbers and no prompts. */
export async function writeAudit(
  tx: Queryable,
  action: AuditAction,
  detail: Record<string, unknown> = {},
): Promise<void> {
  await tx.query('insert into call_desk.audit (action, detail) values ($1, $2)', [action, detail])
}
