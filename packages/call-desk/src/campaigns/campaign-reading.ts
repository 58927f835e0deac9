import type { Queryable } from '@heyline/database'
import type { Campaign } from './campaign.js'
import { type CampaignRow, withCalls } from './campaign-calls.js'

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

/** Customers that are read in one go, or those of one campaign: whatever else happens does not wait for all of them. */
const MOST_READ = 1000

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
  const { rows } = await db.query<CampaignRow & { customers: number }>(
    `select ${COLUMNS}, (select count(*)::int from call_desk.campaign_customers cc where cc.campaign_id = campaigns.id) as customers
     from call_desk.campaigns ${where} order by created_at ${sortOrder}, id ${sortOrder}
     limit $${values.length + 1} offset $${values.length + 2}`,
    [...values, limit, (page - 1) * limit],
  )
  const campaigns: Campaign[] = []
  for (const part of partsOf(rows)) campaigns.push(...(await withCalls(db, part)))
  return { campaigns, total: counted.rows[0]?.total ?? 0 }
}

function partsOf(rows: readonly (CampaignRow & { customers: number })[]): CampaignRow[][] {
  const parts: CampaignRow[][] = []
  let left = 0
  for (const { customers, ...row } of rows) {
    left -= customers
    const part = parts.at(-1)
    if (part && left >= 0) part.push(row)
    else {
      parts.push([row])
      left = MOST_READ - customers
    }
  }
  return parts
}

export async function readCampaign(db: Queryable, id: string): Promise<Campaign | undefined> {
  const { rows } = await db.query<CampaignRow>(`select ${COLUMNS} from call_desk.campaigns where id = $1`, [
    id,
  ])
  return (await withCalls(db, rows))[0]
}
