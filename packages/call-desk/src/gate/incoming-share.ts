import type { Queryable } from '@heyline/database'
import { hasCost } from './ledger-cost.js'

/** Money of phone calls in a span, in millionths of a US dollar. */
interface Spent {
  /** Calls that we place. */
  placed: number
  /** Calls that came in, those of them from this number, and those whose number is not proven, each with its transfers. */
  came: number
  ofNumber: number
  unproven: number
  /** What of the unproven came from this number. */
  ofNumberUnproven: number
  /** The call that is to be transferred, without its transfers. */
  ofCall: number
}

/** What a call that comes in may cost, and what all phone calls may. */
interface IncomingCost {
  /** Left out where no share of one number applies. */
  caller?:
    | {
        /** E.164. */
        phone: string
        /** Whether the number is proven: then calls that only say that they come from it do not count as its own. */
        proven: boolean
      }
    | undefined
  /** The desk's id of the call that is to be transferred; left out where a new call is to be let in. */
  transferOf?: string | undefined
  amount: number
  dayBudget: number | undefined
  monthBudget: number | undefined
}

const SUMS = `select
    coalesce(sum(cost) filter (where not inbound), 0)::float8 as placed,
    coalesce(sum(cost) filter (where inbound), 0)::float8 as came,
    coalesce(sum(cost) filter (where own), 0)::float8 as "ofNumber",
    coalesce(sum(cost) filter (where unproven), 0)::float8 as unproven,
    coalesce(sum(cost) filter (where own and unproven), 0)::float8 as "ofNumberUnproven",
    coalesce(sum(cost) filter (where request_id = $4::uuid), 0)::float8 as "ofCall"
  from (
    select l.request_id, coalesce(l.spent, l.reserved) as cost, l.inbound, r.unproven,
      r.phone = $1::text and (not r.unproven or not $2::boolean) as own
    from call_desk.ledger l
    left join call_desk.call_requests r on l.inbound and r.id = coalesce(l.transfer_of, l.request_id)
    where l.kind = 'phone' and l.at > now() - $3::float8 * interval '1 day' and ${hasCost('l')}) costs`

/**
 * Whether another call to us, or the transfer of one, is more than such calls may have of a budget: half of what the calls that we place
 * leave. Of that one number may use half of what others leave, and all calls together whose number is not proven half of it, or one call.
 * Of this half, too, one such number may use half of what others leave, and leaves one call to them. One call with a transfer fits for
 * each number while there is room for all. Ask in the transaction that holds the gate's lock.
 */
export async function isBeyondIncomingShare(tx: Queryable, call: IncomingCost): Promise<boolean> {
  const { caller, transferOf, amount, dayBudget, monthBudget } = call
  for (const [budget, days] of [
    [dayBudget, 1],
    [monthBudget, 31],
  ] as const) {
    if (budget === undefined) continue
    const { rows } = await tx.query<Spent>(SUMS, [caller?.phone, caller?.proven, days, transferOf])
    const [spent] = rows
    if (spent && isBeyond(spent, amount, budget, caller?.proven ?? true)) return true
  }
  return false
}

/** Has what was just reserved under this id count as money of calls to us. */
export async function countAsIncoming(tx: Queryable, id: string): Promise<void> {
  await tx.query('update call_desk.ledger set inbound = true where request_id = $1', [id])
}

function isBeyond(spent: Spent, amount: number, budget: number, proven: boolean): boolean {
  const { placed, came, ofNumber, unproven, ofNumberUnproven, ofCall } = spent
  const share = (budget - placed) / 2
  const one = ofCall + amount
  const ofOthers = came - ofNumber
  if (came + amount > share || ofNumber + amount > Math.max(one, (share - ofOthers) / 2)) return true
  if (proven) return false
  const left = share / 2 - (unproven - ofNumberUnproven)
  return (
    unproven + amount > Math.max(amount, share / 2) ||
    ofNumberUnproven + amount > Math.max(one, Math.min(left / 2, left - amount))
  )
}
