import type { Db, Queryable } from '@heyline/database'
import { parsePhoneNumber } from '../call/phone-number.js'
import { GATE_LOCK, SWITCHES_CHANNEL } from '../gate/switches.js'
import { endCampaigns } from '../queue/end-campaigns.js'
import {
  type Campaign,
  type CampaignCustomer,
  type CampaignFault,
  type CampaignPlan,
  MOST_CAMPAIGNS,
  MOST_STORED_CUSTOMERS,
  type NewCampaign,
} from './campaign.js'
import { readCampaign } from './campaign-reading.js'

/** Two are not counted at a time. */
const CREATION_LOCK = 'pg_advisory_xact_lock(1212763468, 25)'

/** Stores a campaign with all its customers, or nothing: a fault where there is no place for it. */
export async function createCampaign(
  db: Db,
  { customers: given, ...plan }: NewCampaign,
): Promise<Campaign | CampaignFault> {
  const customers = given.map(spelledOnce)
  const numbers = new Set(customers.map(({ number }) => number))
  if (numbers.size < customers.length) return { fault: 'customers has a number twice, spelled differently.' }
  return await db.transaction(async (tx) => {
    await tx.query(`select ${CREATION_LOCK}`)
    const { rows: stored } = await tx.query<{ campaigns: number; customers: number }>(
      `select (select count(*)::int from call_desk.campaigns) as campaigns,
         (select count(*)::int from call_desk.campaign_customers) as customers`,
    )
    const { campaigns = 0, customers: called = 0 } = stored[0] ?? {}
    if (campaigns >= MOST_CAMPAIGNS || called + customers.length > MOST_STORED_CUSTOMERS)
      return {
        fault: `At most ${MOST_CAMPAIGNS} campaigns with ${MOST_STORED_CUSTOMERS} customers are stored: delete those that have ended.`,
      }
    const { rows } = await tx.query<{ id: string }>(
      `insert into call_desk.campaigns (name, assistant_id, phone_number_id, earliest_at, latest_at)
       values ($1, $2, $3, $4, $5) returning id`,
      valuesOf(plan),
    )
    const [made] = rows
    if (!made) throw new Error('The database returned no row for a stored campaign.')
    await tx.query(
      `insert into call_desk.campaign_customers (campaign_id, position, phone, customer, run_at)
       select $1, given.position, given.customer ->> 'number', given.customer -> 'details', coalesce($3::timestamptz, now())
       from jsonb_array_elements($2::jsonb) with ordinality given (customer, position)`,
      [made.id, customers, plan.earliestAt],
    )
    return await existing(tx, made.id)
  })
}

/** With the one spelling of their number, by which people are found, and told from one another. What is no number is told when it is called. */
const spelledOnce = (customer: CampaignCustomer): CampaignCustomer => ({
  ...customer,
  number: parsePhoneNumber(customer.number)?.e164 ?? customer.number,
})

/**
 * Changes a campaign. Undefined where there is none; a fault where anything but the name is to be changed after it has begun.
 */
export async function changeCampaign(
  db: Db,
  id: string,
  { name, ...change }: Partial<CampaignPlan>,
): Promise<Campaign | CampaignFault | undefined> {
  return await db.transaction(async (tx) => {
    await tx.query('select from call_desk.campaigns where id = $1 for update', [id])
    const found = await readCampaign(tx, id)
    if (!found) return undefined
    const isReplanned = Object.values(change).some((value) => value !== undefined)
    if (isReplanned && found.state !== 'scheduled')
      return {
        fault: 'A campaign that has begun can be renamed and ended, and nothing else of it can be changed.',
      }
    const plan = { ...found, ...given({ name, ...change }) }
    await tx.query(
      `update call_desk.campaigns set name = $2, assistant_id = $3, phone_number_id = $4, earliest_at = $5, latest_at = $6, updated_at = now()
       where id = $1`,
      [id, ...valuesOf(plan)],
    )
    if (isReplanned)
      await tx.query(
        'update call_desk.campaign_customers set run_at = coalesce($2::timestamptz, now()) where campaign_id = $1',
        [id, plan.earliestAt],
      )
    return await existing(tx, id)
  })
}

/**
 * Ends a campaign: who waits is not called any more, also where a request is stored already, and running calls go on. Undefined where there is
 * none; one that has ended stays as it is.
 */
export async function endCampaign(db: Db, id: string): Promise<Campaign | undefined> {
  return await db.transaction(async (tx) => {
    await end(tx, id)
    return await readCampaign(tx, id)
  })
}

/** Ends a campaign and removes it. Resolves with it as it was; undefined where there is none. */
export async function deleteCampaign(db: Db, id: string): Promise<Campaign | undefined> {
  return await db.transaction(async (tx) => {
    await end(tx, id)
    const gone = await readCampaign(tx, id)
    await tx.query('delete from call_desk.campaigns where id = $1', [id])
    return gone
  })
}

async function end(tx: Queryable, id: string): Promise<void> {
  // Under the gate's lock a customer has either been asked for, or will not be.
  await tx.query(`select ${GATE_LOCK}`)
  if ((await endCampaigns(tx, id)) === 0) return
  await tx.query(
    `with ending as (
       update call_desk.call_requests r
       set hang_up_reason = coalesce(r.hang_up_reason, 'operator'), hang_up_at = coalesce(r.hang_up_at, now()), updated_at = now()
       from call_desk.campaign_customers cc
       where cc.campaign_id = $1 and cc.closed_at is null and r.id = cc.request_id
         and r.state in ('queued', 'dialling') and r.sent_at is null
       returning r.id)
     select pg_notify('${SWITCHES_CHANNEL}', 'hang-up') from ending`,
    [id],
  )
}

const valuesOf = ({ name, assistantId, phoneNumberId, earliestAt, latestAt }: CampaignPlan): unknown[] => [
  name,
  assistantId,
  phoneNumberId,
  earliestAt,
  latestAt,
]

/** What is given, without what is not. */
function given({ name, assistantId, phoneNumberId, earliestAt, latestAt }: Partial<CampaignPlan>) {
  return {
    ...(name !== undefined && { name }),
    ...(assistantId !== undefined && { assistantId }),
    ...(phoneNumberId !== undefined && { phoneNumberId }),
    ...(earliestAt !== undefined && { earliestAt }),
    ...(latestAt !== undefined && { latestAt }),
  }
}

async function existing(tx: Queryable, id: string): Promise<Campaign> {
  const campaign = await readCampaign(tx, id)
  if (!campaign) throw new Error('A stored campaign could not be read.')
  return campaign
}
