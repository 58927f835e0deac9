import type { Db, Queryable } from '@heyline/database'
import { CAMPAIGN_SLUG } from '../call/campaign-slug.js'
import { parsePhoneNumber } from '../call/phone-number.js'
import type { BreakerReason } from '../gate/breaker.js'
import type { Gate } from '../gate/gate.js'
import type { Refusal } from '../gate/refusal.js'
import { findBusy, insertRequest, LOCK_STATEMENT, type NewRequest } from '../queue/reserve.js'
import { latestOf } from './campaign.js'
import { FINAL_REFUSALS, HAVE_LINES_FAILED, LIMIT_SECONDS } from './campaign-progress.js'

/** Campaigns' calls at a time, of all processes: more of them would grow old in the queue. */
const MOST_AT_ONCE = 10

/** How long a customer waits that the gate refuses for now while their number is busy, in seconds. Where a limit or the hour is in the way, `LIMIT_SECONDS`. */
const BUSY_SECONDS = 60

const BUSY: readonly Refusal[] = ['in_flight', 'repeated', 'unknown_pending']
/** Refusals that no other customer would escape. */
const OF_ALL: readonly Refusal[] = [
  'paused',
  'breaker_open',
  'limit_starts',
  'limit_concurrent',
  'budget_exhausted',
]

/** What became of a look for somebody to call. */
export type Asked =
  /** Nobody is due, or as many calls run as may, or the lines have just failed. */
  | { result: 'nobody' }
  | { result: 'stored'; requestId: string }
  /** Nobody calls this customer in this campaign. */
  | { result: 'refused'; refusal: Refusal }
  /** The gate is asked again later. `ofAll`: no other customer is worth a look now. */
  | { result: 'waits'; ofAll: boolean; tripped?: BreakerReason | undefined }
  /** Another process was faster, or the number cannot be called at all. */
  | { result: 'passed' }

interface Due {
  id: string
  phone: string
}

const DUE = `from call_desk.campaign_customers cc join call_desk.campaigns c on c.id = cc.campaign_id
  where c.state = 'in-progress' and cc.request_id is null and cc.closed_at is null and cc.run_at <= now() and ${latestOf('c')} > now()
    and (select count(*) from call_desk.campaign_customers a where a.request_id is not null and a.closed_at is null) < ${MOST_AT_ONCE}
    and not ${HAVE_LINES_FAILED}`

/**
 * Asks the gate for the call of the customer who has waited longest. In one transaction under the gate's lock the request is stored and the
 * customer is marked with it: so there is one request for a customer at a time, whoever asks and whenever a process is killed.
 * A refusal is not stored as a request: the customer's row has it.
 */
export async function askForCustomer(db: Db, gate: Gate): Promise<Asked> {
  const { rows } = await db.query<Due>(
    `select cc.id, cc.phone ${DUE}
     order by cc.run_at, cc.position limit 1`,
    [],
    { prepared: true },
  )
  const [due] = rows
  if (!due) return { result: 'nobody' }
  const number = parsePhoneNumber(due.phone)
  if (!number) {
    await close(db, due.id, 'invalid_phone')
    return { result: 'passed' }
  }
  const request: NewRequest = {
    number,
    slug: CAMPAIGN_SLUG,
    client: undefined,
    idempotencyKey: null,
    bodyHash: due.id,
    check: { result: 'not_asked' },
  }
  const opened = await gate.open(request)
  return await db.transaction(async (tx) => {
    await tx.query(LOCK_STATEMENT)
    const held = await tx.query(`select ${DUE} and cc.id = $1 for update of cc`, [due.id])
    if (held.rowCount === 0) return { result: 'passed' }
    const busy = await findBusy(tx, request)
    const verdict = await gate.decide(tx, opened, { checkFailed: false, busy })
    // As in a flood, a refusal stores no request.
    const stored = verdict.refusal
      ? undefined
      : await insertRequest(tx, request, { ...verdict, flood: true }, gate.settings.maxSeconds)
    if (stored) {
      await tx.query(
        'update call_desk.campaign_customers set request_id = $2, refusal = null where id = $1',
        [due.id, stored.id],
      )
      return { result: 'stored', requestId: stored.id }
    }
    const refusal = verdict.refusal ?? 'budget_exhausted'
    if (FINAL_REFUSALS.includes(refusal)) {
      await close(tx, due.id, refusal)
      return { result: 'refused', refusal }
    }
    const ofAll = OF_ALL.includes(refusal)
    await letWait(tx, due.id, refusal, ofAll ? 0 : BUSY.includes(refusal) ? BUSY_SECONDS : LIMIT_SECONDS)
    return { result: 'waits', ofAll, tripped: verdict.tripped }
  })
}

async function close(db: Queryable, id: string, refusal: string): Promise<void> {
  await db.query(
    `update call_desk.campaign_customers set closed_at = now(), refusal = $2
     where id = $1 and request_id is null and closed_at is null`,
    [id, refusal],
  )
}

async function letWait(tx: Queryable, id: string, refusal: Refusal, seconds: number): Promise<void> {
  await tx.query(
    `update call_desk.campaign_customers set refusal = $2, run_at = now() + $3::float8 * interval '1 s' where id = $1`,
    [id, refusal, seconds],
  )
}
