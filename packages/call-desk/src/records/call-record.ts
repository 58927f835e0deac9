import { z } from 'zod'
import { CALL_STATES, type CallState } from '../call/call-state.js'
import { isPageChat } from '../news/page-chat.js'

/** ISO 8601. */
const time = z.string()
const maybe = z.string().nullable()
const count = z.number().nullable()
const state = z.enum(CALL_STATES as [CallState, ...CallState[]])

/** Which way a phone call goes: `inbound` came to one of our numbers, `outbound` is placed by us. */
export const callDirection = z.enum(['inbound', 'outbound'])

/** A request in a list. Every value is plain JSON, so that it reads the same through a server. */
export const callLine = z.object({
  id: z.string(),
  createdAt: time,
  /** A call to a telephone, one in a browser, or a chat of a page, which counts as one. */
  kind: z.enum(['phone', 'web', 'chat']),
  /** Null for a call in a browser. */
  direction: callDirection.nullable(),
  /** `…` and the last two digits; null for a call in a browser, here and in a record. */
  phone: maybe,
  slug: z.string(),
  state,
  refusal: maybe,
  outcome: maybe,
  /** When they began to talk. */
  inProgressAt: time.nullable(),
  /** How long they talked; null until it is over. */
  seconds: count,
  /** Millionths of a US dollar: as the ledger settled it, else as the platform says. */
  costMicrousd: count,
  /** What is set aside for it while the cost is not known: it costs no more. */
  reservedMicrousd: count,
  /** Why we had it ended; null where we had not. */
  hangUpReason: maybe,
})

/** All that is stored of a request, with the number in full. */
export const callRecord = callLine.extend({
  country: maybe,
  address: maybe,
  attempts: z.number(),
  /** Longest that the call may last. */
  maxSeconds: count,
  platformCallId: maybe,
  /** As the platform said it. */
  endedReason: maybe,
  lastError: maybe,
  diallingAt: time.nullable(),
  ringingAt: time.nullable(),
  endedAt: time.nullable(),
  refusedAt: time.nullable(),
  failedAt: time.nullable(),
  unknownAt: time.nullable(),
  /** When the platform's own record of the call came. */
  recordedAt: time.nullable(),
  summary: maybe,
  transcript: maybe,
})

/** A request that has come into a state, at the time `at`. */
export const callChange = callLine.omit({ createdAt: true, inProgressAt: true }).extend({ at: time })

export type CallLine = z.output<typeof callLine>
export type CallRecord = z.output<typeof callRecord>
export type CallChange = z.output<typeof callChange>

const COMMON = `c.id, case when ${isPageChat('c')} then 'chat' else c.kind end as kind, case when c.kind = 'phone' then case when c.inbound then 'inbound' else 'outbound' end end as direction, c.created_at as "createdAt", c.slug, c.state, c.refusal, c.outcome, c.hang_up_reason as "hangUpReason",
  coalesce(case when ${isPageChat('c')} then (select sum(l.spent)::bigint from call_desk.ledger l where coalesce(l.transfer_of, l.request_id) = c.id)
    else (select l.spent from call_desk.ledger l where l.request_id = c.id) end, c.cost_microusd) as "costMicrousd",
  (select l.reserved from call_desk.ledger l where l.request_id = c.id and l.spent is null and c.cost_microusd is null) as "reservedMicrousd",
  case when c.in_progress_at is not null and c.ended_at is not null
    then greatest(0, round(extract(epoch from c.ended_at - c.in_progress_at)))::int end as seconds`

/** The columns of a `CallLine`, of `call_desk.call_requests c`. */
export const LINE_COLUMNS = `${COMMON}, c.in_progress_at as "inProgressAt", '…' || right(c.phone, 2) as phone`

/** When the request came into which state. */
export const STATE_TIMES = `c.dialling_at as "diallingAt", c.ringing_at as "ringingAt",
  c.in_progress_at as "inProgressAt", c.ended_at as "endedAt", c.refused_at as "refusedAt", c.failed_at as "failedAt", c.unknown_at as "unknownAt"`

/** The columns of a `CallRecord`. */
export const RECORD_COLUMNS = `${COMMON}, c.phone, c.country, c.address, c.attempts, c.max_seconds as "maxSeconds",
  c.platform_call_id as "platformCallId", c.ended_reason as "endedReason", c.last_error as "lastError",
  ${STATE_TIMES}, c.recorded_at as "recordedAt", c.summary, c.transcript`

/** A row as plain JSON: times as text. */
export function plain(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  )
}
