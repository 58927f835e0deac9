import { type Db, isTooFar } from '@heyline/database'
import {
  hasFailedLines,
  LINES_FAILED,
  LINES_REST_SECONDS,
  wasRefusedByLines,
  wasUnheard,
} from '../call/lines-failed.js'
import { latestOf } from './campaign.js'

/** Longest that a customer waits who was refused for now, in seconds. */
export const LIMIT_SECONDS = 300

/** How long a customer waits whose call was not placed, in seconds. */
const AGAIN_SECONDS = 60

/** In SQL: the lines of a campaign's call have failed just now. Whom it was for waits for `LIMIT_SECONDS` from when the call was asked for. */
export const HAVE_LINES_FAILED = `exists (select from call_desk.campaign_customers f
  where f.request_id is null and f.closed_at is null and f.refusal = '${LINES_FAILED}'
    and f.run_at > now() + interval '${LIMIT_SECONDS - LINES_REST_SECONDS} seconds')`

/** Refusals after which nobody tries again. */
export const FINAL_REFUSALS: readonly string[] = [
  'dnc',
  'country_not_allowed',
  'premium_blocked',
  'type_not_allowed',
  'prefix_blocked',
  'ended',
]

/** Whether something may be done for a campaign: most installations have none, and nothing else is looked for there. */
export async function hasDueCampaigns(db: Db): Promise<boolean> {
  const { rows } = await db.query(
    `select from call_desk.campaigns
     where state <> 'ended' and (state = 'in-progress' or earliest_at is null or earliest_at <= now())
     union all select from call_desk.campaign_customers where closed_at is null and request_id is not null limit 1`,
    [],
    { prepared: true },
  )
  return rows.length > 0
}

/**
 * Begins campaigns that are due, notes what became of their requests, has nobody wait longer than there is reason to, and ends those that are through or whose time is over. Any process may
 * do so at any time: each statement changes only what is still as it was. Resolves with the ids of the campaigns that have ended.
 */
export async function advanceCampaigns(db: Db): Promise<string[]> {
  await db.query(
    `update call_desk.campaigns set state = 'in-progress', updated_at = now()
     where state = 'scheduled' and (earliest_at is null or earliest_at <= now())`,
  )
  // Where certainly nothing was sent, the customer waits again: a pause, a queue that stood still and a full platform end here. So does whose
  // call the carrier surely has not placed, through no fault of the call, and of whose call a trunk said nothing. All else that is over is
  // over for the customer, too, and so is a request that is gone.
  await db.query(
    `with over as (
       select cc.id, cc.request_id,
         case when ${wasUnheard('r')} then '${LINES_FAILED}'
           else coalesce(r.refusal, split_part(r.last_error, ':', 1), cc.refusal) end as refusal,
         coalesce(c.state = 'in-progress' and not ($1::jsonb ? coalesce(r.refusal, '')) and (${wasUnheard('r')}
           or r.state in ('refused', 'failed') and r.platform_call_id is null
             and (r.sent_at is null or ${wasRefusedByLines('r')})), false) as again,
         case when ${hasFailedLines('r')} then r.created_at + interval '${LIMIT_SECONDS} s'
           else now() + interval '${AGAIN_SECONDS} s' end as again_at
       from call_desk.campaign_customers cc join call_desk.campaigns c on c.id = cc.campaign_id
         left join call_desk.call_requests r on r.id = cc.request_id
       where cc.request_id is not null and cc.closed_at is null
         and coalesce(r.state in ('ended', 'refused', 'failed', 'unknown'), true))
     update call_desk.campaign_customers cc
     set request_id = case when not o.again then cc.request_id end, closed_at = case when not o.again then now() end,
       refusal = o.refusal, run_at = case when o.again then o.again_at else cc.run_at end
     from over o where cc.id = o.id and cc.request_id = o.request_id and cc.closed_at is null`,
    [FINAL_REFUSALS],
  )
  // A clock that ran ahead put them off. Where the plan itself is to come, nothing is too far.
  await db.query(
    `update call_desk.campaign_customers cc set run_at = now()
     from call_desk.campaigns c
     where c.id = cc.campaign_id and c.state = 'in-progress' and (c.earliest_at is null or c.earliest_at <= now())
       and cc.request_id is null and cc.closed_at is null and ${isTooFar('cc.run_at', LIMIT_SECONDS * 1000)}`,
  )
  await db.query(
    `update call_desk.campaign_customers cc set closed_at = now(), refusal = coalesce(cc.refusal, 'too_late')
     from call_desk.campaigns c
     where c.id = cc.campaign_id and cc.request_id is null and cc.closed_at is null and ${latestOf('c')} <= now()`,
  )
  const { rows } = await db.query<{ id: string }>(
    `update call_desk.campaigns c set state = 'ended', ended_reason = 'campaign.ended.success', updated_at = now()
     where c.state = 'in-progress'
       and not exists (select from call_desk.campaign_customers cc where cc.campaign_id = c.id and cc.closed_at is null)
     returning c.id`,
  )
  return rows.map(({ id }) => id)
}
