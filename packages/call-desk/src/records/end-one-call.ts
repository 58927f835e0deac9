import type { Db } from '@heyline/database'
import { IN_FLIGHT_STATES } from '../call/call-state.js'
import { SWITCHES_CHANNEL } from '../gate/switches.js'
import { STATES_CHANNEL } from '../live/state-watch.js'
import { findCallId } from './find-call.js'
import { RecordsError } from './records-error.js'

/** What is stored as the reason of a call that an operator had ended. */
const ENDED_BY_OPERATOR = 'operator'

/**
 * Has a call ended, as the pause has all of them: a placed one is hung up, one that waits is not dialled any more. Resolves with its id once
 * that is stored; the call ends within seconds. Rejects where the call is over. Asked again, it changes nothing more.
 */
export async function endOneCall(db: Db, id: string): Promise<{ id: string }> {
  const call = await findCallId(db, id)
  const { rowCount } = await db.query(
    `with ending as (
       update call_desk.call_requests r
       set hang_up_reason = coalesce(r.hang_up_reason, '${ENDED_BY_OPERATOR}'), hang_up_at = coalesce(r.hang_up_at, now()), updated_at = now()
       where r.id = $1::uuid and ($2::jsonb ? r.state or r.state = 'unknown' and r.recorded_at is null)
       returning r.id)
     select pg_notify('${SWITCHES_CHANNEL}', 'hang-up'), pg_notify('${STATES_CHANNEL}', id::text) from ending`,
    [call, IN_FLIGHT_STATES],
  )
  if (rowCount === 0) throw new RecordsError('call_over', 'The call is over: there is nothing to end')
  return { id: call }
}
