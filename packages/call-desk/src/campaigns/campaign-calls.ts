import type { Queryable } from '@heyline/database'
import type { CallState } from '../call/call-state.js'
import type { Campaign, CampaignCall } from './campaign.js'

/** A campaign without its calls. */
export type CampaignRow = Omit<Campaign, 'calls'>

interface CallRow {
  campaignId: string
  id: string
  phone: string
  customer: Record<string, unknown>
  isClosed: boolean
  refusal: string | null
  state: CallState | null
  callId: string | null
  endedReason: string | null
  outcome: string | null
  error: string | null
}

/** Campaigns with the calls of all their customers. */
export async function withCalls(db: Queryable, campaigns: readonly CampaignRow[]): Promise<Campaign[]> {
  if (campaigns.length === 0) return []
  const { rows } = await db.query<CallRow>(
    `select cc.campaign_id as "campaignId", cc.id, cc.phone, cc.customer, cc.closed_at is not null as "isClosed",
       coalesce(r.refusal, cc.refusal) as refusal, r.state, r.platform_call_id as "callId", r.ended_reason as "endedReason", r.outcome,
       case when r.state in ('failed', 'unknown') then split_part(r.last_error, ':', 1) end as error
     from call_desk.campaign_customers cc left join call_desk.call_requests r on r.id = cc.request_id
     where cc.campaign_id in (select given.id::uuid from jsonb_array_elements_text($1::jsonb) given (id))
     order by cc.position`,
    [campaigns.map(({ id }) => id)],
  )
  const read = new Map(
    campaigns.map((campaign) => [campaign.id, { ...campaign, calls: [] as CampaignCall[] }]),
  )
  for (const row of rows) read.get(row.campaignId)?.calls.push(callOf(row))
  return [...read.values()]
}

function callOf({ id, phone, customer, isClosed, refusal, error, ...row }: CallRow): CampaignCall {
  return {
    id,
    customer: { number: phone, details: customer },
    callId: row.callId,
    status: statusOf(row.state, isClosed),
    endedReason: row.endedReason,
    reason: refusal ?? error,
    isVoicemail: row.outcome === 'voicemail',
  }
}

function statusOf(state: CallState | null, isClosed: boolean): CampaignCall['status'] {
  switch (state) {
    case 'queued':
    case 'dialling':
    case 'ringing':
      return 'queued'
    case 'in-progress':
      return state
    // Of a request that nothing was placed for, the next look says whether the customer waits again.
    case 'refused':
    case 'failed':
    case null:
      return isClosed ? 'ended' : 'scheduled'
    default:
      return 'ended'
  }
}
