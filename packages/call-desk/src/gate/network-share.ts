import { costOf } from '../news/news-sql.js'

/** Money of a network's calls, in millionths of a US dollar. */
export interface NetworkSpend {
  /** In the last 24 hours. */
  day: number
  /** In the last 31 days, as long as it is known which network asked. */
  month: number
}

interface Budgets {
  dayBudget: number | undefined
  monthBudget: number | undefined
}

/** In SQL: no calls. */
export const NO_SPEND = `'{"day": 0, "month": 0}'::jsonb`

/**
 * In SQL: what the calls of `asked.network` cost, or may still cost. A call that is over counts what is known of its cost, before the
 * ledger has it: a person who tries again and again must not wait for reports. While all networks together have not spent the half that one
 * may have, none is looked at: that takes a join.
 */
export function networkSpend(
  kind: 'phone' | 'web',
  worstCase: number,
  { dayBudget, monthBudget }: Budgets,
): string {
  const perhaps = [
    dayBudget === undefined
      ? []
      : `coalesce(sum(coalesce(spent, reserved)) filter (where ${TODAY}), 0) > ${dayBudget / 2 - worstCase}`,
    monthBudget === undefined
      ? []
      : `coalesce(sum(coalesce(spent, reserved)), 0) > ${monthBudget / 2 - worstCase}`,
  ].flat()
  if (perhaps.length === 0) return NO_SPEND
  return `case when (select ${perhaps.join(' or ')} from call_desk.ledger
      where kind = '${kind}' and at > now() - interval '31 days')
    then (select jsonb_build_object('day', coalesce(sum(cost) filter (where ${TODAY}), 0), 'month', coalesce(sum(cost), 0))
      from (select l.at, coalesce(l.spent, case when r.state = 'ended' then ${costOf('r')} end, l.reserved) as cost
        from call_desk.ledger l join call_desk.call_requests r on r.id = l.request_id
        where l.kind = '${kind}' and l.at > now() - interval '31 days'
          and r.kind = '${kind}' and r.state <> 'refused' and r.network = asked.network) costs)
    else ${NO_SPEND} end`
}

const TODAY = "at > now() - interval '24 hours'"

/**
 * Whether another call, of this worst case, is more than one network may have of the budgets: half of each, so that nobody who owns a range
 * of addresses can spend it all. One call always fits.
 */
export function isBeyondShare(
  { day, month }: NetworkSpend,
  worstCase: number | undefined,
  { dayBudget, monthBudget }: Budgets,
): boolean {
  if (worstCase === undefined) return false
  const isBeyond = (spent: number, budget = Number.POSITIVE_INFINITY) =>
    spent + worstCase > Math.max(worstCase, budget / 2)
  return isBeyond(day, dayBudget) || isBeyond(month, monthBudget)
}
