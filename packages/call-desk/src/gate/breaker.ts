import { hasCome, type Queryable } from '@heyline/database'
import type { Logger } from 'pino'
import { CAMPAIGN_SLUG } from '../call/campaign-slug.js'
import { NETWORKS_OF_ANYBODY } from '../call/client-address.js'
import { hasFailedLines, LINES_REST_SECONDS } from '../call/lines-failed.js'
import { PROCESS_GONE } from '../call/outcome.js'
import { DEFAULT_GATE, type GateSettings, type Limit } from './gate-settings.js'
import { hasCost } from './ledger-cost.js'
import { dearestCost } from './longest-cost.js'
import { admittedSlug } from './slug-totals.js'
import { tripBreaker } from './switches.js'

/** Logs that the breaker has just opened. This line is the alert: an operator has to find the cause, and then resume calls. */
export function alertBreaker(logger: Logger, reason: BreakerReason): void {
  logger.error({ reason }, 'the circuit breaker opened: nothing is dialled until it is resumed')
}

/** Why the breaker opened, as stored in the switches and the audit, and as logged. */
export type BreakerReason = 'failures' | 'longest' | 'spend'

/**
 * What the breaker looks at, by the database's clock: calls that we place. A call to us is a stranger's, under a number that is easily made
 * up. Calls that our own processes ended by stopping, or by being killed, count for nothing. Of each network only the newest call counts, so
 * that nobody who owns a range of addresses stops everybody's calls, and the money of one network does not count. Of clients that are not
 * told apart each call counts. Of campaigns only failures count: whoever stored one chose its numbers, and the gate bounds what it spends.
 */
interface BreakerFacts {
  /**
   * Calls of the window, and how many of them failed. Of one visitor's page and of one number they count once, too: whoever has the link asks
   * from many networks, for lines that answer as they please.
   */
  calls: number
  failed: number
  /** Networks whose newest call came through: somebody spoke, or it ended without a fault of anybody's, the operator's settings included. */
  cameThrough: number
  /** The latest calls went to fewer pages than it takes. Then pages do not count once: else failures would never open it. */
  fewPages: boolean
  /**
   * Calls that lasted as long as a call may last. Of one visitor's page they count once, too: whoever has the link asks from many networks.
   * Where the latest calls went to fewer pages than it takes, those to one number count once instead: else nothing would ever open it.
   */
  longest: number
  /** Spent in the last 24 hours by all but campaigns and the network that spent most, in millionths of a US dollar. */
  daySpend: number
  /** Spent on average in each of the seven days before, by all; null without seven days of history. */
  meanSpend: number | null
}

const NONE: Limit = { most: 0, windowMs: 0 }

/**
 * Opens the breaker if the latest calls demand it. Resolves with the reason if it opened just now; the caller logs that as an error.
 * It looks at phone calls that we place only, and ignores those before the last resume. While all is well it takes one statement.
 */
export async function checkBreaker(
  tx: Queryable,
  settings: GateSettings,
): Promise<BreakerReason | undefined> {
  const { mode, breaker } = settings
  if (mode === 'simulated') return undefined
  if (!breaker.failures && !breaker.longest && breaker.spendFactor === undefined) return undefined
  const facts = await readFacts(tx, settings)
  const reason = facts && judgeBreaker(facts, settings)
  return reason && (await tripBreaker(tx, reason)) ? reason : undefined
}

/** The reason to stop, or undefined. */
export function judgeBreaker(
  facts: BreakerFacts,
  settings: Pick<GateSettings, 'breaker' | 'dayBudget' | 'countries' | 'maxSeconds'>,
): BreakerReason | undefined {
  const { breaker, dayBudget = DEFAULT_GATE.dayBudget ?? 0 } = settings
  const { failures, longest, spendFactor } = breaker
  if (failures && facts.calls >= failures.most && areFailing(facts)) return 'failures'
  if (longest && facts.longest >= longest.most) return 'longest'
  if (spendFactor !== undefined && facts.meanSpend !== null) {
    // After a week of almost no calls, the first busy day must not raise an alarm.
    const floor = Math.max(dayBudget / 2, dearestCost(settings))
    if (facts.daySpend > Math.max(facts.meanSpend * spendFactor, floor)) return 'spend'
  }
  return undefined
}

/** Where people share one page, it takes one call that came through to show that the lines work: nothing tells strangers there from anybody. */
function areFailing({ calls, failed, cameThrough, fewPages }: BreakerFacts): boolean {
  return failed * 2 >= calls && cameThrough <= (fewPages ? 0 : failed)
}

/**
 * In SQL: the time of a campaign's call that the carrier itself has failed, in steps; null for all other calls. A campaign asks for several at a
 * moment, so that all of a step count once: a fault of a few seconds is not to stop everybody's calls.
 */
const LINES_FAULT = `case when r.slug = '${CAMPAIGN_SLUG}' and ${hasFailedLines('r')}
  then '(lines) ' || floor(extract(epoch from r.created_at) / ${LINES_REST_SECONDS}) end`

/** In SQL: what calls have in common of which only one counts. */
const SOURCE = `coalesce(${LINES_FAULT}, case when r.network is null or $3::jsonb ? r.network then r.id::text else r.network end)`

/**
 * In SQL: a process of ours has ended the call, was gone or without its database while the call was placed or had to be, or could not place it
 * then and said so (429). `$4` is whether the platform is ours, too.
 */
const OURS = `(coalesce(r.last_error, '') ~ '^(worker_lost|stalled|outage|expired):'
  or ($4::boolean and (coalesce(r.ended_reason, '') = '${PROCESS_GONE}' or coalesce(r.last_error, '') ~ '^platform_429_')))`

/**
 * In SQL: the platform refused to place a campaign's call, and not because of the lines. Its assistant or its number is gone, which says nothing of
 * them.
 */
const CAMPAIGNS_OWN = `(r.slug = '${CAMPAIGN_SLUG}' and coalesce(r.last_error, '') ~ '^platform_4[0-9]{2}_' and not ${hasFailedLines('r')})`

/** In SQL: the page that a row counts for. All calls of campaigns have one, but where the carrier itself has failed, each step counts. */
const PAGE = `coalesce(${LINES_FAULT}, ${admittedSlug('r')})`

/** In SQL: to how many visitors' pages the latest calls that we placed went. */
const LATEST_PAGES = `(select count(distinct ${admittedSlug('l')}) from (
  select r.admitted_slug, r.slug from call_desk.call_requests r
  where r.kind = 'phone' and r.state <> 'refused' and not r.inbound and r.slug <> '${CAMPAIGN_SLUG}' order by r.created_at desc limit 1000) l)`

/** In SQL: the last resume; null where a clock that ran ahead wrote it, which would keep the breaker from counting. */
const RESUMED = `case when ${hasCome('s.resumed_at')} then s.resumed_at end`

/** Undefined while the breaker is open. A call that the gate itself stopped at the last moment is no failure. */
async function readFacts(
  tx: Queryable,
  { breaker, ownPlatform = false }: GateSettings,
): Promise<BreakerFacts | undefined> {
  const { failures = NONE, longest = NONE } = breaker
  const { rows } = await tx.query<BreakerFacts>(
    `select calls::int, failed::int, "cameThrough"::int, "fewPages", longest::int, "daySpend", "meanSpend"
     from call_desk.switches s,
     lateral (
       select "cameThrough", "fewPages",
         least(sources, numbers, case when "fewPages" then sources else pages end) as calls,
         least(failed_sources, failed_numbers, case when "fewPages" then failed_sources else failed_pages end) as failed
       from (
         select *, case when pages < $6 and sources >= $6 then ${LATEST_PAGES} < $6 else false end as "fewPages"
         from (
           select count(*) as sources, count(distinct page) as pages, count(distinct phone) as numbers,
             count(*) filter (where has_failed) as failed_sources,
             count(distinct page) filter (where has_failed) as failed_pages,
             count(distinct phone) filter (where has_failed) as failed_numbers,
             count(*) filter (where has_result and not has_failed and not is_misset) as "cameThrough"
           from (
             select distinct on (${SOURCE}) r.phone, ${PAGE} as page,
               r.ended_at is not null or r.in_progress_at is not null as has_result,
               coalesce(r.state in ('failed', 'unknown') or r.outcome in ('provider_fault', 'platform_fault'), false) as has_failed,
               coalesce(r.outcome = 'caller_config', false) as is_misset
             from call_desk.call_requests r
             where r.kind = 'phone' and not r.inbound and r.state <> 'refused' and r.refusal is null
               and not ${OURS} and not ${CAMPAIGNS_OWN}
               and r.created_at > greatest(now() - $1::float8 * interval '1 ms', ${RESUMED}) and ${hasCome('r.created_at')}
             order by ${SOURCE}, r.created_at desc) newest) counted) judged) recent,
     lateral (
       select least(sources, case when sources < $5 or pages >= $5 or $5 <= ${LATEST_PAGES} then pages
           else greatest(pages, numbers) end) as longest
       from (
         select count(distinct ${SOURCE}) as sources, count(distinct ${admittedSlug('r')}) as pages, count(distinct r.phone) as numbers
         from call_desk.call_requests r
         where r.kind = 'phone' and not r.inbound and r.outcome = 'max_duration' and r.slug <> '${CAMPAIGN_SLUG}'
           and r.ended_at > greatest(now() - $2::float8 * interval '1 ms', ${RESUMED}) and ${hasCome('r.ended_at')}) lasted) lasting,
     lateral (
       select (coalesce(sum(spend), 0) - coalesce(max(spend) filter (where not $3::jsonb ? network), 0))::float8 as "daySpend" from (
         select r.network, sum(coalesce(l.spent, l.reserved)) as spend
         from call_desk.ledger l left join call_desk.call_requests r on r.id = coalesce(l.transfer_of, l.request_id)
         where l.kind = 'phone' and not l.inbound and l.at > greatest(now() - interval '24 hours', ${RESUMED}) and ${hasCost('l')}
           and r.slug is distinct from '${CAMPAIGN_SLUG}'
         group by r.network) networks) latest,
     lateral (
       select case when (select min(at) from call_desk.ledger where kind = 'phone' and not inbound) <= now() - interval '8 days'
           then (coalesce(sum(coalesce(l.spent, l.reserved)) filter
             (where l.at <= now() - interval '24 hours'), 0) / 7)::float8 end as "meanSpend"
       from call_desk.ledger l where l.kind = 'phone' and not l.inbound and l.at > now() - interval '8 days' and ${hasCost('l')}) money
     where s.breaker_at is null`,
    [failures.windowMs, longest.windowMs, NETWORKS_OF_ANYBODY, ownPlatform, longest.most, failures.most],
    { prepared: true },
  )
  return rows[0]
}
