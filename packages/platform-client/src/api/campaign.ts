import type { SchedulePlan } from './create-call.js'
import type { Customer } from './customer.js'
import type { OpenString } from './open-string.js'
import type { ListQuery, PageQuery } from './page.js'

export type CampaignStatus = OpenString<'scheduled' | 'in-progress' | 'ended'>

export type CampaignEndedReason = OpenString<
  'campaign.scheduled.ended-by-user' | 'campaign.in-progress.ended-by-user' | 'campaign.ended.success'
>

/** Body of `campaigns.create`. Either an assistant or a workflow speaks, not both. */
export interface CreateCampaign {
  name: string
  assistantId?: string
  workflowId?: string
  /** The stored number that is the caller id. */
  phoneNumberId: string
  customers: Customer[]
  /** When to dial. Not set: at once. */
  schedulePlan?: SchedulePlan
}

/** Body of `campaigns.update`. Beside `name` and `status`, nothing can be changed while calls run or after the end. */
export interface UpdateCampaign {
  name?: string
  assistantId?: string
  workflowId?: string
  phoneNumberId?: string
  schedulePlan?: SchedulePlan
  /** Ends the campaign: scheduled calls are deleted, running ones go on to their end. */
  status?: 'ended'
}

/** Calls to a list of customers. */
export interface Campaign extends CreateCampaign {
  id: string
  orgId: string
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
  status: CampaignStatus
  endedReason?: CampaignEndedReason
  /** What is known of each call, by its id. */
  calls: Record<string, unknown>
  callsCounterScheduled: number
  callsCounterQueued: number
  callsCounterInProgress: number
  /** Ended at an answering machine. */
  callsCounterEndedVoicemail: number
  callsCounterEnded: number
}

/** Query of `campaigns.list`. */
export type ListCampaigns = ListQuery

/** Query of `campaigns.listPage` and `campaigns.pages`. */
export interface ListCampaignsPage extends PageQuery {
  id?: string
  status?: CampaignStatus
}
