import { NETWORKS_OF_ANYBODY } from '../call/client-address.js'
import { type CostRules, costOf } from '../news/news-sql.js'
import { hasCost } from './ledger-cost.js'

/** Money of a network's calls and of all others', in millionths of a US dollar. */
export interface NetworkSpend {
  /** In the last 24 hours. */
  day: number
  dayOfOthers: number
  /** In the last 31 days. What the network spent so long ago that its calls are no longer known as its own counts as of others. */
  month: number
  monthOfOthers: number
}

interface Budgets {
  dayBudget: number | undefined
  monthBudget: number | undefined
}

/** In SQL: no calls. */
export const NO_SPEND = `'{"day": 0, "dayOfOthers": 0, "month": 0, "monthOfOthers": 0}'::jsonb`

/** In SQL: networks of which one alone may be everybody, so that it has no share. */
export const ANYBODY = NETWORKS_OF_ANYBODY.map((network) => `'${network}'`).join(', ')

/**
 * In SQL: what the calls of `asked.network` cost, or may still cost, and those of others; nothing where the network is not known or tells
 * nobody apart. A call of the network that is over counts what is known of its cost, before the ledger has it: a person who tries again and
 * again must not wait for reports. Where all have so little that all of it and another call are no more than half of the budget, the join
 * is spared: what others have takes from that whole, and from a share only by half.
 */
export function networkSpend(
  kind: 'phone' | 'web',
  worstCase: number,
  { dayBudget, monthBudget, costsArePart = false }: Budgets & CostRules,
): string {
  const perhaps = [
    dayBudget === undefined ? [] : `total.day > ${dayBudget / 2 - worstCase}`,
    monthBudget === undefined ? [] : `total.month > ${monthBudget / 2 - worstCase}`,
  ].flat()
  if (perhaps.length === 0) return NO_SPEND
  return `case when asked.network not in (${ANYBODY}) then (
    select case when ${perhaps.join(' or ')}
      then (select jsonb_build_object(
          'day', coalesce(sum(cost) filter (where ${TODAY}), 0),
          'dayOfOthers', total.day - coalesce(sum(held) filter (where ${TODAY}), 0),
          'month', coalesce(sum(cost), 0), 'monthOfOthers', total.month - coalesce(sum(held), 0))
        from (select l.at, coalesce(l.spent, l.reserved) as held,
            coalesce(l.spent, case when r.state = 'ended' then least(l.reserved, ${costOf('r', String(costsArePart))}) end, l.reserved) as cost
          from call_desk.ledger l join call_desk.call_requests r on r.id = coalesce(l.transfer_of, l.request_id)
          where l.kind = '${kind}' and l.at > now() - interval '31 days' and ${hasCost('l')}
            and r.kind = '${kind}' and r.state <> 'refused' and r.network = asked.network) costs)
      else ${NO_SPEND} end
    from (select coalesce(sum(coalesce(spent, reserved)) filter (where ${TODAY}), 0) as day,
        coalesce(sum(coalesce(spent, reserved)), 0) as month
      from call_desk.ledger l where l.kind = '${kind}' and l.at > now() - interval '31 days' and ${hasCost('l')}) total)
    else ${NO_SPEND} end`
}

const TODAY = "at > now() - interval '24 hours'"

/**
 * Whether another call, of this worst case, is more than one network may have of the budgets: half of what the others leave of each, so that
 * whoever owns several ranges of addresses gets ever less of it. One call always fits.
 */
export function isBeyondShare(
  { day, dayOfOthers, month, monthOfOthers }: NetworkSpend,
  worstCase: number | undefined,
  { dayBudget, monthBudget }: Budgets,
): boolean {
  if (worstCase === undefined) return false
  const isBeyond = (own: number, others: number, budget = Number.POSITIVE_INFINITY) =>
    own + worstCase > Math.max(worstCase, (budget - others) / 2)
  return isBeyond(day, dayOfOthers, dayBudget) || isBeyond(month, monthOfOthers, monthBudget)
}

/** A limit of all, and how much of it is used. */
interface Shared {
  most: number
  /** In all, and by the network. */
  used: number
  own: number
}

/**
 * Calls that one network may begin in a span, of so many that the others leave: half of those, so that nobody who has several networks can
 * lock others out. A single person's (`atLeast`) always fit while less than half is used by others.
 */
export function isBeyondCalls({ most, used, own }: Shared, atLeast: number): boolean {
  const others = used - own
  return own >= Math.max(Math.ceil((most - others) / 2), others < most / 2 ? atLeast : 1)
}

/**
 * Places that one network may hold: half of those that the others leave, so that whoever owns several ranges of addresses gets ever less of
 * the house. One always fits while there is any.
 */
export const isBeyondPlaces = ({ most, used, own }: Shared): boolean =>
  own >= Math.max(1, Math.floor((most - (used - own)) / 2))
