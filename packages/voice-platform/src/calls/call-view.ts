import type { ArtifactPlan, Call } from '@heyline/platform-client'
import type { CallRow } from './call-row.js'

/** What is kept of every call here: its transcript. Nothing is recorded, whatever the assistant's plan asks for. */
export const ARTIFACT_PLAN: ArtifactPlan = {
  recordingEnabled: false,
  videoRecordingEnabled: false,
  pcapEnabled: false,
  loggingEnabled: false,
  transcriptPlan: { enabled: true },
}

/** A call as the REST API and the server messages show it. */
export function callView(row: CallRow): Call {
  const call: Call = {
    id: row.id,
    orgId: row.org_id,
    type: row.type,
    status: row.status,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    artifactPlan: ARTIFACT_PLAN,
  }
  if (row.name !== null) call.name = row.name
  if (row.assistant_id !== null) call.assistantId = row.assistant_id
  if (row.assistant_given !== null) call.assistant = row.assistant_given
  if (row.overrides !== null) call.assistantOverrides = row.overrides
  if (row.phone_number_id !== null) call.phoneNumberId = row.phone_number_id
  if (row.customer !== null) call.customer = row.customer
  if (row.carrier_call_id !== null) call.phoneCallProviderId = row.carrier_call_id
  if (row.type === 'outboundPhoneCall') call.phoneCallTransport = 'pstn'
  if (row.started_at !== null) call.startedAt = row.started_at.toISOString()
  if (row.status === 'ended') Object.assign(call, ended(row))
  return call
}

function ended(row: CallRow): Partial<Call> {
  const { messages } = row
  const transcript = row.transcript ?? ''
  return {
    ...(row.ended_reason !== null && { endedReason: row.ended_reason }),
    ...(row.ended_at !== null && { endedAt: row.ended_at.toISOString() }),
    messages,
    transcript,
    artifact: { messages, transcript },
  }
}
