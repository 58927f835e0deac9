import { DatabaseError, type Db, type Queryable } from '@heyline/database'
import { isInFlight } from '../call/call-state.js'
import { writeAudit } from './audit.js'

/**
 * An SQL expression that takes the gate's lock until the transaction ends. The gate decides and stores a request under this lock, so only
 * one process at a time does. The migration's `reserve_spend` takes the same lock.
 */
export const GATE_LOCK = 'pg_advisory_xact_lock(1212763468, 1)'

/** The channel for everything that stops or allows calls: pause, resume, breaker, and requests to end calls. */
export const SWITCHES_CHANNEL = 'call_desk_switches'

/** What stops all dialling; null if it does not. */
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

/** A call in flight, or a request that may have become one. The states are literals, so that indexes of open and unsure calls answer. */
const MAY_RUN = `(${isInFlight('call_requests')} or (state = 'unknown' and recorded_at is null))`

/** Of those, the calls of ours to numbers on the do-not-call list that nobody has answered yet. */
const TO_LISTED = `(${MAY_RUN} and state <> 'in-progress' and kind = 'phone' and not inbound
  and exists (select from call_desk.do_not_call d where d.phone = call_requests.phone))`

/** How often a pause is tried, because the database may roll it back after a deadlock. */
const MOST_TRIES = 5

/** The database ended the transaction: deadlock, or statement timeout. */
const MAY_BE_TRIED_AGAIN = ['40P01', '57014']

/**
 * Stops all dialling, and marks running calls to be ended. Resolves with the number of calls that are running, or may be.
 * The first step takes no locks that others hold. If the second step fails, dialling is stopped all the same.
 */
export async function pauseCalls(db: Db): Promise<number> {
  await stopDialling(db)
  return await endCalls(db, MAY_RUN, 'paused')
}

/**
 * Has calls ended that ring, or are just being placed, at numbers on the do-not-call list: to be asked once numbers were put there. From
 * here on nobody hears a phone ring that was put there. Who talks to us already is not interrupted.
 */
export async function endListedCalls(db: Db): Promise<void> {
  await endCalls(db, TO_LISTED, 'do_not_call')
}

/** Marks these calls to be ended, and resolves with how many there are. */
async function endCalls(db: Db, which: string, reason: string): Promise<number> {
  for (let tries = 1; ; tries++) {
    try {
      return await markToEnd(db, which, reason)
    } catch (error) {
      const isPassing = error instanceof DatabaseError && MAY_BE_TRIED_AGAIN.includes(error.code)
      if (!isPassing || tries === MOST_TRIES) throw error
    }
  }
}

async function stopDialling(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    const paused = await tx.query('update call_desk.switches set paused_at = now() where paused_at is null')
    if (paused.rowCount === 0) return
    const running = await tx.query(`select from call_desk.call_requests where ${MAY_RUN}`)
    await writeAudit(tx, 'calls_paused', { inFlight: running.rowCount })
    await tellSwitches(tx, 'paused')
  })
}

async function markToEnd(db: Db, which: string, reason: string): Promise<number> {
  return await db.transaction(async (tx) => {
    // Under the gate's lock, a request has either passed the gate and is stored, or will see the pause, or the list.
    await tx.query(`select ${GATE_LOCK}`)
    // Rows are locked in the same order as when the platform's news is applied, so that the two cannot deadlock.
    await tx.query(`select from call_desk.call_requests where ${which} order by id for update`)
    const ending = await tx.query(
      `update call_desk.call_requests
       set hang_up_reason = coalesce(hang_up_reason, $1), hang_up_at = now(), updated_at = now()
       where ${which}`,
      [reason],
    )
    await tellSwitches(tx, 'hang-up')
    return ending.rowCount
  })
}

/** Lifts the pause and closes the breaker. From now on the breaker counts new calls only. False if neither was on. */
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

/** Stops all dialling until somebody resumes it. False if it had stopped already. The caller logs it as an error, which is the alert. */
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
  await tx.query('select pg_notify($1, $2)', [SWITCHES_CHANNEL, what])
}
