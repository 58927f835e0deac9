/** Whom a campaign calls. */
export interface CampaignCustomer {
  /** E.164. */
  number: string
  /** All else that the API was told of them: name, e-mail address, id of their own, variables. */
  details: Record<string, unknown>
}

/** What is called, with what, and when. */
export interface CampaignPlan {
  name: string
  assistantId: string
  phoneNumberId: string
  /** Nobody is called before; at once where it is null. */
  earliestAt: Date | null
  /** Nobody is called after; `DEFAULT_DAYS` where it is null. */
  latestAt: Date | null
}

export interface NewCampaign extends CampaignPlan {
  customers: readonly CampaignCustomer[]
}

export type CampaignState = 'scheduled' | 'in-progress' | 'ended'

/** How far one customer's call is: it waits, it is being placed, somebody talks, or nothing more comes of it. */
export interface CampaignCall {
  /** The platform's id of the call, where there is one. */
  callId: string | null
  /** Of the customer in this campaign. */
  id: string
  customer: CampaignCustomer
  status: 'scheduled' | 'queued' | 'in-progress' | 'ended'
  /** As the platform says it. */
  endedReason: string | null
  /** What the gate said last, or why nobody was called; null where nothing stood in the way. */
  reason: string | null
  isVoicemail: boolean
}

export interface Campaign extends CampaignPlan {
  id: string
  state: CampaignState
  endedReason: string | null
  createdAt: Date
  updatedAt: Date
  /** In the order in which they were given. */
  calls: CampaignCall[]
}

/** Most campaigns and customers that are stored at a time. */
export const MOST_CAMPAIGNS = 1000
export const MOST_STORED_CUSTOMERS = 20_000

/** How long a campaign goes on that names no end, in days. */
export const DEFAULT_DAYS = 7

/** In SQL: when nobody of the campaign `row` is asked for any more. */
export const latestOf = (row: string): string =>
  `coalesce(${row}.latest_at, greatest(${row}.earliest_at, ${row}.created_at) + interval '${DEFAULT_DAYS} days')`

/** Why nothing was changed, in words for whoever asked. */
export interface CampaignFault {
  fault: string
}
