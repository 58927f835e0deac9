import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '@heyline/database'

/** Between two looks, in milliseconds. Whoever places the call may be another process, so the row is what is looked at. */
const LOOK_MS = 100

/** Outcomes of a call that was ended before any telephone rang: nobody will be called. */
const FAULTS = ['caller_config', 'provider_fault', 'platform_fault', 'blocked_fraud']

/**
 * Whether a stored request has come to nothing, by the time that this is known or so many milliseconds are over. False as soon as the platform
 * has the call, and also where that is not known in time: then a telephone may ring. A row that can't be read is not waited for.
 */
export async function failsAtOnce(db: Db, id: string | undefined, withinMs: number): Promise<boolean> {
  if (id === undefined) return false
  const until = performance.now() + withinMs
  for (;;) {
    const found = await look(db, id).catch(() => 'placed' as const)
    if (found !== 'open') return found === 'failed'
    if (performance.now() + LOOK_MS > until) return false
    await pause(LOOK_MS)
  }
}

async function look(db: Db, id: string): Promise<'open' | 'placed' | 'failed'> {
  const { rows } = await db.query<{ found: 'open' | 'placed' | 'failed' }>(
    `select case
       when state in ('failed', 'refused') or (state = 'ended' and ringing_at is null and in_progress_at is null
         and $2::jsonb ? outcome) then 'failed'
       when state in ('queued', 'dialling') and platform_call_id is null then 'open'
       else 'placed' end as found
     from call_desk.call_requests where id = $1`,
    [id, FAULTS],
    { prepared: true },
  )
  return rows[0]?.found ?? 'placed'
}
