import type { PageWindow } from '../resources/list-page.js'

/** Whom a campaign calls. */
export interface CampaignCustomer {
  /** E.164. */
  number: string
  /** What else is known of them, as it was stored. */
  details: Record<string, unknown>
}

/** What is called, with what, and when. */
export interface CampaignPlan {
  name: string
  assistantId: string
  phoneNumberId: string
  /** Null: at once. */
  earliestAt: Date | null
  /** Null: as long as the desk goes on. */
  latestAt: Date | null
}

/** How far one customer's call is. */
export interface CampaignCall {
  /** Ours of the call, where there is one. */
  callId: string | null
  /** The desk's, of the customer in this campaign. */
  id: string
  customer: CampaignCustomer
  status: 'scheduled' | 'queued' | 'in-progress' | 'ended'
  endedReason: string | null
  /** What the desk's gate said last, or why nobody was called. */
  reason: string | null
  isVoicemail: boolean
}

export interface StoredCampaign extends CampaignPlan {
  id: string
  state: 'scheduled' | 'in-progress' | 'ended'
  endedReason: string | null
  createdAt: Date
  updatedAt: Date
  calls: CampaignCall[]
}

/** Why nothing was changed. */
export interface CampaignFault {
  fault: string
}

/** Which campaigns a list has. */
export interface CampaignWindow extends Partial<PageWindow> {
  limit: number
  id?: string | undefined
  status?: string | undefined
}

/** The call desk, as far as it keeps campaigns and calls their customers. Each call passes its gate, and waits in its queue. */
export interface CampaignDesk {
  create(
    campaign: CampaignPlan & { customers: readonly CampaignCustomer[] },
  ): Promise<StoredCampaign | CampaignFault>
  list(window: CampaignWindow): Promise<{ campaigns: StoredCampaign[]; total: number }>
  get(id: string): Promise<StoredCampaign | undefined>
  change(id: string, change: Partial<CampaignPlan>): Promise<StoredCampaign | CampaignFault | undefined>
  /** Nobody is called any more; running calls go on. */
  end(id: string): Promise<StoredCampaign | undefined>
  /** Ends it first. Resolves with it as it was last. */
  delete(id: string): Promise<StoredCampaign | undefined>
  /** The campaign that a call of this name is part of. */
  ofCall(name: string): Promise<string | undefined>
}

/** Finds the desk when somebody asks: undefined while it is not open, and where there is none. */
export type FindCampaignDesk = () => CampaignDesk | undefined
