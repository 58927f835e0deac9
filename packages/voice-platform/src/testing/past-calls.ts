import type { Db } from '@heyline/database'

/** A call that has ended, as a test or a measurement wants it. */
export interface PastCall {
  /** ISO 8601. */
  at: string
  /** How long somebody talked. Left out: nobody answered. */
  seconds?: number
  type?: 'webCall' | 'outboundPhoneCall'
  endedReason?: string
  assistantId?: string
  customer?: Record<string, unknown>
  messages?: readonly Record<string, unknown>[]
  transcript?: string
  analysis?: Record<string, unknown>
  costs?: readonly Record<string, unknown>[]
  overrides?: Record<string, unknown>
  /** The squad or the workflow that spoke. */
  script?: Record<string, unknown>
  /** What was read in the call. */
  variables?: Record<string, unknown>
  name?: string
}

/** Stores calls as the platform leaves them. Resolves with their ids. */
export async function storePastCalls(db: Db, calls: readonly PastCall[]): Promise<string[]> {
  const ids: string[] = []
  for (const call of calls) {
    const { rows } = await db.query<{ id: string }>(
      `insert into voice_platform.calls (type, status, ended_reason, assistant_id, customer, assistant, overrides, owner, messages, transcript,
         analysis, costs, name, script, variables, created_at, updated_at, started_at, ended_at)
       select $1, 'ended', $2, $3, $4, '{}', $5, gen_random_uuid(), $6::jsonb, $7, $8, $9::jsonb, $10, $11, $12, $13::timestamptz, $13::timestamptz,
         case when $14::float8 is not null then $13::timestamptz end,
         $13::timestamptz + coalesce($14::float8, 0) * interval '1 second' returning id`,
      [
        call.type ?? 'webCall',
        call.endedReason ?? 'customer-ended-call',
        call.assistantId,
        call.customer,
        call.overrides,
        call.messages ?? [],
        call.transcript ?? '',
        call.analysis,
        call.costs,
        call.name,
        call.script,
        call.variables,
        call.at,
        call.seconds,
      ],
    )
    ids.push(...rows.map(({ id }) => id))
  }
  return ids
}
