import type { Db, Queryable } from '@heyline/database'
import { inFlightStates } from '../queue/reserve.js'
import { writeAudit } from './audit.js'

/** The channel that tells of what stops or frees the calls: pause, resume, breaker, and rows that are to be hung up. */
export const switchesChannel = 'call_desk_switches'

/** What stops all dialling; null where it does not. */
export interface Switches {
  pausedAt: Date | null
  breakerAt: Date | null
  breakerReason: string | null
}

export async function readSwitches(db: Queryable): Promise<Switches> {
  const { rows } = await db.query<Switches>(
    `select paused_at as "pausedAt", breaker_at as "breakerAt", breaker_reason as "breakerReason"
     from call_desk.switches`,
  )
  const [row] = rows
  if (!row) throw new Error('The switches of the call desk are missing: their row was deleted.')
  return row
}

/** Nothing more is dialled, and what runs is to be hung up. Resolves with the number of calls in flight. Again: only those. */
export async function pauseCalls(db: Db): Promise<number> {
  return await db.transaction(async (tx) => {
    const paused = await tx.query('update call_desk.switches set paused_at = now() where paused_at is null')
    const ending = await tx.query(
      `update call_desk.call_requests
       set hang_up_reason = coalesce(hang_up_reason, 'paused'), hang_up_at = now(), updated_at = now()
       where $1::jsonb ? state`,
      [inFlightStates],
    )
    if (paused.rowCount > 0) await writeAudit(tx, 'calls_paused', { inFlight: ending.rowCount })
    await tellSwitches(tx, 'paused')
    return ending.rowCount
  })
}

/** Lifts the pause and closes the breaker, which from now on judges only what comes. False when neither was on. */
export async function resumeCalls(db: Db): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const { pausedAt, breakerAt, breakerReason } = await readSwitches(tx)
    if (pausedAt === null && breakerAt === null) return false
    await tx.query(
      `update call_desk.switches
       set paused_at = null, breaker_at = null, breaker_reason = null, resumed_at = now()`,
    )
    await writeAudit(tx, 'calls_resumed', { pausedAt, breakerAt, breakerReason })
    await tellSwitches(tx, 'resumed')
    return true
  })
}

/** Stops all dialling until somebody resumes it. False when it had stopped already. The caller logs it as an error: it is the alert. */
export async function tripBreaker(tx: Queryable, reason: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    'update call_desk.switches set breaker_at = now(), breaker_reason = $1 where breaker_at is null',
    [reason],
  )
  if (rowCount === 0) return false
  await writeAudit(tx, 'breaker_tripped', { reason })
  await tellSwitches(tx, 'breaker')
  return true
}

async function tellSwitches(tx: Queryable, what: string): Promise<void> {
  await tx.query('select pg_notify($1, $2)', [switchesChannel, what])
}
