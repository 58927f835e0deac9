import type { Outcome } from '../call/outcome.js'

/** How long after the end the platform is asked for its record, where that did not come by itself. */
export const RECORD_DELAY = "interval '30 seconds'"

/** For how many days after it was asked for there can be news of a call. */
export const NEWS_DAYS = 6

/**
 * Whether there can still be news of `row`: a call lasts minutes. A message is known again for seven days (`INBOX_DAYS` in `old-rows.ts`); who sends one
 * again after that must change nothing either.
 */
export const canHaveNews = (row: string): string => `${row}.created_at > now() - interval '${NEWS_DAYS} days'`

/** When to ask about `row` next, newsMs being the parameter `ms`: a tenth of its age from now, but not before these waits. */
export const nextCheck = (row: string, ms: string, ended: string): string => `
  now() + greatest(
    case when ${ended} then ${RECORD_DELAY} else ${ms}::float8 * interval '1 ms' end,
    (now() - ${row}.sent_at) / 10)`

const listed = (outcomes: readonly Outcome[]): string => outcomes.map((outcome) => `'${outcome}'`).join(', ')

/** How the platform's costs are read. */
export interface CostRules {
  /** The platform does not know what the carrier takes: a phone call that was answered costs the price of its minutes at least. */
  costsArePart?: boolean | undefined
}

/** Nobody answered, whatever the platform takes for the beginning of a call. */
const neverAnswered = listed(['no_answer', 'busy'])
/** Why a call is closed that the platform says nothing of: it may have been answered. */
const neverHeard = "'lost', 'not-found'"
/** Costs nothing where nobody answered. */
const maybeUnanswered = listed(['cancelled', 'blocked_fraud', 'caller_config'])

/** In SQL: when `row` began to cost. A carrier bills from the answer on, also where nobody came to talk: a voicemail box, or somebody who hung up at once. */
const billedFrom = (row: string): string => `least(${row}.answered_at, ${row}.in_progress_at)`

/**
 * What a call of `row` cost, in millionths of a US dollar, of what was reserved in the ledger's entry `l`: what the platform says; nothing
 * where nobody answered, or nobody joined in the browser; else the share of the minutes billed. Null where nothing is known: then the reservation stays. A
 * platform that says 0 for a call that was answered does not know the carrier's price. `isPart`: see `CostRules`.
 */
export const costOf = (row: string, isPart: string): string => `
  case
    when ${row}.cost_microusd > 0 and ${row}.kind = 'phone' and ${isPart} and ${billedFrom(row)} is not null and ${row}.ended_at is not null
      then greatest(${row}.cost_microusd, ${minutesOf(row)})
    when ${row}.cost_microusd > 0 then ${row}.cost_microusd
    when ${row}.outcome in (${neverAnswered}) then 0
    when ${billedFrom(row)} is null and (${row}.outcome in (${maybeUnanswered}) or ${row}.cost_microusd = 0) then 0
    when ${row}.kind = 'web' and ${row}.in_progress_at is null and ${row}.ended_reason not in (${neverHeard}) then 0
    when ${billedFrom(row)} is not null and ${row}.ended_at is not null then ${minutesOf(row)}
  end::bigint`

/** The share of the minutes billed, of what was reserved; null where the longest duration is not known. */
const minutesOf = (row: string): string => `
  case when ${row}.max_seconds > 0 then least(l.reserved, ceil(l.reserved
    * greatest(1, ceil(extract(epoch from ${row}.ended_at - ${billedFrom(row)}) / 60))
    / ceil(${row}.max_seconds / 60.0))) end`

/** $1: news of different calls, as rows; $2: from which states each state may be entered; $3: newsMs; $4: costs are a part. See `applyAllNews`. */
export const APPLY_NEWS_SQL = `
  with news as materialized (
    select * from json_to_recordset($1::json) as n(
      call_id text, request_id uuid, control_url text, state text, ringing_at timestamptz, answered_at timestamptz, in_progress_at timestamptz,
      ended_at timestamptz, ended_reason text, outcome text, heard_at timestamptz, record text, cost bigint,
      transcript text, summary text, given_up boolean)),
  matched as materialized (
    select r.id, n.call_id from news n join call_desk.call_requests r on r.platform_call_id = n.call_id
    union
    select r.id, n.call_id from news n join call_desk.call_requests r on r.id = n.request_id
    where r.platform_call_id is null and (r.sent_at is not null or (r.attempts > 0 and r.state in ('dialling', 'failed')))),
  -- As they are when the lock is had, always in the same order.
  before as materialized (
    select id, state, sent_at, platform_call_id, control_url, ringing_at, answered_at, in_progress_at, ended_at, ended_reason, outcome,
      recorded_at, cost_microusd, transcript, summary, hang_up_reason, hang_up_at,
      -- It was taken for not placed.
      state = 'failed' and platform_call_id is null as misjudged
    from call_desk.call_requests r
    where id in (select id from matched) and state <> 'refused' and ${canHaveNews('r')}
    order by id for update),
  after as materialized (
    select b.id, b.state as was, coalesce(b.sent_at, now()) as sent_at, n.call_id, n.record, n.given_up, moved.state,
      b.misjudged, b.misjudged and not refused as was_there,
      case when b.misjudged and not refused then coalesce(b.hang_up_reason, 'not_placed') else b.hang_up_reason end as hang_up_reason,
      case when b.misjudged and n.state is distinct from 'ended' then now() else b.hang_up_at end as hang_up_at,
      coalesce(b.control_url, n.control_url) as control_url,
      least(b.ringing_at, n.ringing_at) as ringing_at,
      least(b.answered_at, n.answered_at) as answered_at,
      case when decides then n.in_progress_at
        when open then least(b.in_progress_at, n.in_progress_at) else b.in_progress_at end as in_progress_at,
      case when decides then coalesce(n.ended_at, b.ended_at, n.heard_at)
        when open then least(b.ended_at, n.ended_at) else b.ended_at end as ended_at,
      chosen.reason as ended_reason,
      case when moved.state = 'ended' and b.hang_up_reason = 'stop_calling' then 'caller_stopped'
        when chosen.reason is not distinct from n.ended_reason then coalesce(n.outcome, b.outcome)
        else b.outcome end as outcome,
      case when n.record <> 'none' or n.given_up then coalesce(b.recorded_at, now()) else b.recorded_at end as recorded_at,
      case when decides then coalesce(n.cost, b.cost_microusd) else coalesce(b.cost_microusd, n.cost) end as cost_microusd,
      case when decides then coalesce(n.transcript, b.transcript) else coalesce(b.transcript, n.transcript) end as transcript,
      case when decides then coalesce(n.summary, b.summary) else coalesce(b.summary, n.summary) end as summary
    from before b join matched m on m.id = b.id join news n on n.call_id = m.call_id
    -- It ended before it rang anywhere: whoever took it for not placed was right.
    cross join lateral (
      select coalesce(n.state = 'ended' and n.ringing_at is null and n.in_progress_at is null, false) as refused) heard
    cross join lateral (
      select b.recorded_at is null as open,
        n.record = 'report' or (n.record = 'polled' and b.recorded_at is null) as decides) rank
    cross join lateral (
      select case when ($2::jsonb -> n.state) ? b.state then n.state else b.state end as state) moved
    cross join lateral (
      select case
        when decides then coalesce(n.ended_reason, b.ended_reason)
        when not open then b.ended_reason
        when n.given_up then coalesce(b.ended_reason, n.ended_reason)
        -- Of two, always the same one.
        else least(b.ended_reason, n.ended_reason) end as reason) chosen
    where b.platform_call_id is null or b.platform_call_id = n.call_id),
  moved as (
    update call_desk.call_requests r
    set platform_call_id = coalesce(r.platform_call_id, a.call_id), control_url = a.control_url, state = a.state,
      ringing_at = a.ringing_at, answered_at = a.answered_at, in_progress_at = a.in_progress_at, ended_at = a.ended_at, ended_reason = a.ended_reason,
      outcome = a.outcome, recorded_at = a.recorded_at, cost_microusd = a.cost_microusd, transcript = a.transcript,
      summary = a.summary, hang_up_reason = a.hang_up_reason, hang_up_at = a.hang_up_at, sent_at = a.sent_at, updated_at = now(),
      check_at = case when a.recorded_at is null then ${nextCheck('a', '$3', "a.state = 'ended'")} end
    from after a where r.id = a.id
    returning r.id, r.state, a.was, a.misjudged, a.was_there, a.record, a.given_up, r.recorded_at, r.cost_microusd, r.outcome, r.answered_at, r.in_progress_at, r.ended_at, r.max_seconds, r.kind, r.ended_reason)
  select m.id, m.state, m.was, m.was_there as "isMisjudged",
    case
      when m.recorded_at is not null and cost is not null
        and (m.record = 'report' or m.given_up or cost >= l.reserved or (l.spent is not null and not m.misjudged))
        then call_desk.settle_spend(m.id, cost)::text
      -- What was given back is needed after all.
      when m.misjudged then call_desk.settle_spend(m.id, null)::text
    end as settled
  from moved m left join call_desk.ledger l on l.request_id = m.id
  cross join lateral (select ${costOf('m', '$4::boolean')} as cost) price`
