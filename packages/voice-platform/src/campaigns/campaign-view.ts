import type { Campaign, Customer } from '@heyline/platform-client'
import type { CampaignCall, CampaignCustomer, StoredCampaign } from './campaign-desk.js'

/** A campaign as the API shows it. Its calls are by their ids; whom nobody has called yet, by the desk's id of the customer. */
export function campaignView(stored: StoredCampaign, orgId: string): Campaign {
  const { calls, earliestAt, latestAt, endedReason } = stored
  const count = (is: (call: CampaignCall) => boolean) => calls.filter(is).length
  return {
    id: stored.id,
    orgId,
    name: stored.name,
    assistantId: stored.assistantId,
    phoneNumberId: stored.phoneNumberId,
    ...(earliestAt && {
      schedulePlan: {
        earliestAt: earliestAt.toISOString(),
        ...(latestAt && { latestAt: latestAt.toISOString() }),
      },
    }),
    customers: calls.map(({ customer }) => customerView(customer)),
    status: stored.state,
    ...(endedReason !== null && { endedReason }),
    calls: Object.fromEntries(calls.map((call) => [call.callId ?? call.id, callView(call)])),
    callsCounterScheduled: count(({ status }) => status === 'scheduled'),
    callsCounterQueued: count(({ status }) => status === 'queued'),
    callsCounterInProgress: count(({ status }) => status === 'in-progress'),
    callsCounterEndedVoicemail: count(({ isVoicemail }) => isVoicemail),
    callsCounterEnded: count(({ status }) => status === 'ended'),
    createdAt: stored.createdAt.toISOString(),
    updatedAt: stored.updatedAt.toISOString(),
  }
}

function customerView({ number, details: { variableValues, ...details } }: CampaignCustomer): Customer {
  return {
    ...details,
    number,
    ...(variableValues instanceof Object && {
      assistantOverrides: { variableValues: { ...variableValues } },
    }),
  }
}

const callView = ({ callId, status, endedReason, reason, customer }: CampaignCall) => ({
  ...(callId !== null && { id: callId }),
  status,
  ...(endedReason !== null && { endedReason }),
  ...(reason !== null && { reason }),
  customer: { number: customer.number },
})
