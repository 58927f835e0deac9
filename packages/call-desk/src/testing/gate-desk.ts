import type { Db } from '@heyline/database'
import { DEFAULT_GATE, type GateSettings } from '../gate/gate-settings.js'
import type { CallDesk } from '../index.js'
import { callRequest } from './desk.js'

/** A gate in full force whose limits are all off, so that a test sets those that it is about. Its budgets hold what tests reserve. */
export const openGate: GateSettings = {
  ...DEFAULT_GATE,
  numberLimits: [],
  slugLimits: [],
  slugConcurrent: undefined,
  addressLimits: [],
  addressNumbers: undefined,
  networkLimits: [],
  prefixLimits: [],
  countryLimits: [],
  startLimits: [],
  concurrent: undefined,
  dayBudget: undefined,
  monthBudget: undefined,
  hours: undefined,
  breaker: { failures: undefined, longest: undefined, spendFactor: undefined },
}

/** The header from which `addressOf` reads the client's address in tests. */
export const ADDRESS_HEADER = 'x-test-address'
export const addressOf = (request: Request): string | undefined =>
  request.headers.get(ADDRESS_HEADER) ?? undefined

/** What one request of a test asks. */
export interface Ask {
  phone?: string
  slug?: string
  address?: string
  headers?: Record<string, string>
}

/** The answer's status, and its code or the id. */
export interface Heard {
  status: number
  code?: string
  id?: string
}

export async function ask(desk: CallDesk, { phone, slug, address, headers }: Ask = {}): Promise<Heard> {
  const body = { phone: phone ?? '+14155552671', slug: slug ?? 'acme' }
  const response = await desk.webhook(
    callRequest(body, { ...(address && { [ADDRESS_HEADER]: address }), ...headers }),
  )
  return { ...(await response.json()), status: response.status }
}

/** Makes everything stored older. */
export async function age(db: Db, time: string): Promise<void> {
  const older = (table: string, columns: string[]): string =>
    `update call_desk.${table} set ${columns.map((column) => `${column} = ${column} - interval '${time}'`).join(', ')};`
  await db.exec(
    older('call_requests', ['created_at', 'updated_at', 'ended_at', 'unknown_at']) +
      older('ledger', ['at']) +
      older('used_checks', ['used_at']),
  )
}

/** Ends what is in flight. */
export const endCalls = (db: Db): Promise<void> =>
  db.exec(
    "update call_desk.call_requests set state = 'ended', ended_at = now(), recorded_at = now() where state not in ('refused', 'failed', 'ended')",
  )

export const clearDesk = (db: Db): Promise<void> =>
  db.exec(`delete from call_desk.call_requests; delete from call_desk.ledger; delete from call_desk.do_not_call;
    delete from call_desk.slug_resets; delete from call_desk.slug_totals; delete from call_desk.used_checks; delete from call_desk.audit; delete from call_desk.forgotten_calls; delete from call_desk.incoming_refusals;
    delete from call_desk.erasures;
    update call_desk.switches set paused_at = null, breaker_at = null, breaker_reason = null, resumed_at = null`)
