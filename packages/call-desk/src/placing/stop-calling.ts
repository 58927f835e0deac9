import type { Db } from '@heyline/database'
import type { Logger } from 'pino'
import { IN_FLIGHT_STATES } from '../call/call-state.js'
import { writeAudit } from '../gate/audit.js'
import { addNumbers } from '../gate/do-not-call.js'
import { SWITCHES_CHANNEL } from '../gate/switches.js'
import { canHaveNews } from '../news/news-sql.js'
import { saysStop } from './stop-phrases.js'

/** Something that the person called said. */
export interface Said {
  /** The platform's id of the call. */
  callId: string
  /** Our own, where the platform gave it back. */
  requestId?: string | undefined
  text: string
}

export interface StopCallingOptions {
  db: Db
  logger: Logger
}

/**
 * Listens for "stop calling me". Then the number is never called again and the call is ended, both in one transaction. Where somebody calls
 * us, and nobody vouches for their number, only the call is ended: the number may be another's. Repeated, or after the call, it changes
 * nothing more. In a browser call it is a sentence like any other: nobody was called. Rejects when it could not be stored; then it has to
 * be told again.
 */
export function createStopCalling({ db, logger }: StopCallingOptions): (said: Said) => Promise<void> {
  return async ({ callId, requestId, text }) => {
    if (!saysStop(text)) return
    const stopped = await db.transaction(async (tx) => {
      const { rows } = await tx.query<{ id: string; phone: string; unproven: boolean }>(
        `select id, phone, unproven from call_desk.call_requests r
         where ${canHaveNews('r')} and (platform_call_id = $1 or (platform_call_id is null and id = $2::uuid and (sent_at is not null or attempts > 0)))
           and r.kind = 'phone' and hang_up_reason is distinct from 'stop_calling'
         for update`,
        [callId, requestId],
      )
      const [row] = rows
      if (!row) return undefined
      await tx.query(
        `update call_desk.call_requests
         set hang_up_reason = 'stop_calling', updated_at = now(),
           hang_up_at = case when $2::jsonb ? state or state = 'unknown' then now() else hang_up_at end
         where id = $1`,
        [row.id, IN_FLIGHT_STATES],
      )
      if (!row.unproven) {
        await addNumbers(tx, [row.phone], 'caller', row.id)
        await writeAudit(tx, 'do_not_call_added', { source: 'caller', requestId: row.id })
      }
      await tx.query('select pg_notify($1, $2)', [SWITCHES_CHANNEL, 'hang-up'])
      return row
    })
    if (!stopped) return
    const { id, unproven } = stopped
    if (unproven)
      logger.warn(
        { requestId: id },
        'stop calling: the call is ended; the number is not proven, so it is not listed',
      )
    else logger.info({ requestId: id }, 'stop calling: the call is ended, and the number not called again')
  }
}
