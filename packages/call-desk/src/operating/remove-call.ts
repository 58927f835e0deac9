import type { Queryable } from '@heyline/database'
import { GATE_LOCK } from '../gate/switches.js'
import { STATES_CHANNEL } from '../live/state-watch.js'
import { findCallId } from '../records/find-call.js'
import { MAY_RUN } from '../records/may-run.js'
import { RecordsError } from '../records/records-error.js'
import { removeCounted } from '../retention/old-rows.js'
import { forgetCalls } from '../web-calls/forgotten-calls.js'

/** A call that is gone from the records. */
export interface RemovedCall {
  id: string
  /** By which the platform knows it; null where it never heard of it. */
  platformCallId: string | null
}

/**
 * Removes the record of a call that is over, with the messages about it that are not dealt with. The ledger keeps its money, and the visitor's
 * lifetime limit goes on counting it. What a hosted platform goes on telling of it is not stored again. To be asked in a transaction. Rejects with a `RecordsError` while the call runs, or may run.
 */
export async function removeCall(tx: Queryable, id: string): Promise<RemovedCall> {
  const call = await findCallId(tx, id)
  await tx.query(`select ${GATE_LOCK}`)
  const platformCallId = await demandOver(tx, call)
  await tx.query(
    'delete from call_desk.inbox i where i.body is not null and (strpos(i.body, $1) > 0 or strpos(i.body, $2) > 0)',
    [call, platformCallId ?? call],
  )
  await forgetCalls(tx, 'r.id = $1::uuid', [call])
  // Last of all, since who brings news of the call has its message and the calls that are forgotten before its row.
  await demandOver(tx, call, 'for update')
  await tx.query('update call_desk.do_not_call set request_id = null where request_id = $1::uuid', [call])
  await removeCounted(tx, 'id = $1::uuid', [call])
  await tx.query('select pg_notify($1, $2)', [STATES_CHANNEL, call])
  return { id: call, platformCallId }
}

/** Resolves with the id by which the platform knows the call. Rejects while it runs. */
async function demandOver(tx: Queryable, call: string, lock: '' | 'for update' = ''): Promise<string | null> {
  const { rows } = await tx.query<{ platformCallId: string | null; running: boolean }>(
    `select r.platform_call_id as "platformCallId", ${MAY_RUN} as running
     from call_desk.call_requests r where r.id = $1::uuid ${lock}`,
    [call],
  )
  const [row] = rows
  if (!row) throw new RecordsError('call_not_found', 'The call is not among the records any more')
  if (row.running)
    throw new RecordsError(
      'call_running',
      'The call runs, or may run: end it, and delete its record when it is over',
    )
  return row.platformCallId
}
