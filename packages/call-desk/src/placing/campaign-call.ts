import type { Db } from '@heyline/database'
import { z } from 'zod'
import { latestOf } from '../campaigns/campaign.js'

/** What a campaign says of one of its calls. */
export interface CampaignCall {
  assistantId: string
  phoneNumberId: string
  /** What the API was told of the customer, beside the number. */
  customer: CustomerDetails
  /** The assistant's messages go to a server of its own, which is told what that wants to know. */
  hasServer: boolean
}

const details = z.object({
  name: z.string().optional(),
  email: z.string().optional(),
  externalId: z.string().optional(),
  numberE164CheckEnabled: z.boolean().optional(),
  variableValues: z.record(z.string(), z.unknown()).optional(),
})

type CustomerDetails = z.infer<typeof details>

/** The call that a request is for. Undefined where its campaign was deleted meanwhile, or its last moment has passed. */
export async function findCampaignCall(
  db: Db,
  requestId: string,
): Promise<Omit<CampaignCall, 'hasServer'> | undefined> {
  const { rows } = await db.query<{ assistantId: string; phoneNumberId: string; customer: unknown }>(
    `select c.assistant_id as "assistantId", c.phone_number_id as "phoneNumberId", cc.customer
     from call_desk.campaign_customers cc join call_desk.campaigns c on c.id = cc.campaign_id
     where cc.request_id = $1 and ${latestOf('c')} > now()`,
    [requestId],
  )
  const [row] = rows
  return row && { ...row, customer: details.parse(row.customer) }
}
