import type { Queryable } from '@heyline/database'
import type { CallState } from '../call/call-state.js'
import type { Campaign, CampaignCall } from './campaign.js'

/** Which campaigns a list has. Each pair of times is a bound and whether it belongs to the list itself. */
export interface CampaignWindow {
  limit: number
  /** Counts from 1. */
  page?: number
  sortOrder?: 'ASC' | 'DESC'
  id?: string | undefined
  status?: string | undefined
  createdAtGt?: Date | undefined
  createdAtLt?: Date | undefined
  createdAtGe?: Date | undefined
  createdAtLe?: Date | undefined
  updatedAtGt?: Date | undefined
  updatedAtLt?: Date | undefined
  updatedAtGe?: Date | undefined
  updatedAtLe?: Date | undefined
}

const CONDITIONS = [
  ['id', 'id ='],
  ['status', 'state ='],
  ['createdAtGt', 'created_at >'],
  ['createdAtLt', 'created_at <'],
  ['createdAtGe', 'created_at >='],
  ['createdAtLe', 'created_at <='],
  ['updatedAtGt', 'updated_at >'],
  ['updatedAtLt', 'updated_at <'],
  ['updatedAtGe', 'updated_at >='],
  ['updatedAtLe', 'updated_at <='],
] as const satisfies readonly (readonly [keyof CampaignWindow, string])[]

const COLUMNS = `id, name, assistant_id as "assistantId", phone_number_id as "phoneNumberId", earliest_at as "earliestAt",
  latest_at as "latestAt", state, ended_reason as "endedReason", created_at as "createdAt", updated_at as "updatedAt"`

type Row = Omit<Campaign, 'calls'>

/** A page of the campaigns, with how many there are in all. */
export async function readCampaigns(
  db: Queryable,
  window: CampaignWindow,
): Promise<{ campaigns: Campaign[]; total: number }> {
  const values: unknown[] = []
  const conditions = CONDITIONS.flatMap(([name, comparison]) =>
    window[name] === undefined ? [] : [`${comparison} $${values.push(window[name])}`],
  )
  const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''
  const { limit, page = 1, sortOrder = 'DESC' } = window
  const counted = await db.query<{ total: number }>(
    `select count(*)::int as total from call_desk.campaigns ${where}`,
    values,
  )
  const { rows } = await db.query<Row>(
    `select ${COLUMNS} from call_desk.campaigns ${where} order by created_at ${sortOrder}, id ${sortOrder}
     limit $${values.length + 1} offset $${values.length + 2}`,
    [...values, limit, (page - 1) * limit],
  )
  return { campaigns: await withCalls(db, rows), total: counted.rows[0]?.total ?? 0 }
}

export async function readCampaign(db: Queryable, id: string): Promise<Campaign | undefined> {
  const { rows } = await db.query<Row>(`select ${COLUMNS} from call_desk.campaigns where id = $1`, [id])
  return (await withCalls(db, rows))[0]
}

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

async function withCalls(db: Queryable, campaigns: readonly Row[]): Promise<Campaign[]> {
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
