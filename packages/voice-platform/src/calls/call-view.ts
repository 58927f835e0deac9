import type { Artifact, ArtifactPlan, Call } from '@heyline/platform-client'
import { withoutToolSecrets } from '../assistants/tool-secrets.js'
import { isHearable } from '../recording/recording-row.js'
import type { RecordingUrls } from '../recording/recording-url.js'
import type { SessionPerformance, TurnLatency } from '../session/session.js'
import type { Activation } from '../session/session-assistant.js'
import { resolvedArtifactPlan } from './artifact-plan.js'
import { costBreakdown, totalOf } from './call-costs.js'
import type { CallRow } from './call-row.js'
import { SOCKET_AUDIO, SOCKET_TRANSPORT } from './socket-call-request.js'

/** A call as the REST API and the server messages show it. The words of a running call are some seconds old. */
export function callView(row: CallRow): Call {
  const call: Call = {
    id: row.id,
    orgId: row.org_id,
    type: row.type,
    status: row.status,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    artifactPlan: { ...resolvedArtifactPlan(row.assistant), ...recordingPlan(row) },
  }
  if (row.name !== null) call.name = row.name
  if (row.assistant_id !== null) call.assistantId = row.assistant_id
  if (row.assistant_given !== null) call.assistant = withoutToolSecrets(row.assistant_given)
  if (row.overrides !== null) call.assistantOverrides = withoutToolSecrets(row.overrides)
  if (row.squad_id !== null) call.squadId = row.squad_id
  else if (row.script?.squad) call.squad = withoutToolSecrets(row.script.squad)
  if (row.workflow_id !== null) call.workflowId = row.workflow_id
  else if (row.script?.workflow) call.workflow = withoutToolSecrets(row.script.workflow)
  if (row.campaign_id) call.campaignId = row.campaign_id
  if (row.phone_number_id !== null) call.phoneNumberId = row.phone_number_id
  if (row.customer !== null)
    call.customer = row.customer.assistantOverrides ? withoutToolSecrets(row.customer) : row.customer
  if (row.carrier_call_id !== null) call.phoneCallProviderId = row.carrier_call_id
  if (row.type !== 'webCall') call.phoneCallTransport = 'pstn'
  if (row.carrier === SOCKET_TRANSPORT) {
    call.type = 'vapi.websocketCall'
    call.transport = { provider: SOCKET_TRANSPORT, audioFormat: SOCKET_AUDIO }
  }
  if (row.answered_at) {
    const provider = row.carrier ?? undefined
    call.transport = { ...(provider && { provider }), answeredAt: row.answered_at.toISOString() }
  }
  if (typeof row.caller_proven === 'boolean')
    call.transport = { ...call.transport, callerProven: row.caller_proven }
  if (row.started_at !== null) call.startedAt = row.started_at.toISOString()
  if (row.ended_at !== null) call.endedAt = row.ended_at.toISOString()
  if (row.ended_reason !== null) call.endedReason = row.ended_reason
  if (row.forwarded_to !== null) call.destination = { type: 'number', number: row.forwarded_to }
  if (row.analysis !== null) call.analysis = row.analysis
  // The end-of-call report says the same: 0 where no prices are known.
  if (row.status === 'ended') call.cost = totalOf(row.costs ?? [])
  if (row.costs !== null) Object.assign(call, { costs: row.costs, costBreakdown: costBreakdown(row.costs) })
  if (row.status === 'ended' || row.messages.length > 0) Object.assign(call, said(row))
  return call
}

/** A call without its large fields: what was said, and the assistant and overrides that a request brought. */
export function outlineOf(call: Call): Call {
  const outline = { ...call }
  for (const name of [
    'assistant',
    'squad',
    'workflow',
    'assistantOverrides',
    'messages',
    'transcript',
    'artifact',
    'analysis',
  ] as const)
    delete outline[name]
  if (outline.customer?.assistantOverrides) {
    const { assistantOverrides: _, ...customer } = outline.customer
    outline.customer = customer
  }
  return outline
}

/** What is recorded of this very call. A file of Ogg Opus has no name in the API. */
const recordingPlan = ({ recording }: CallRow): ArtifactPlan =>
  recording && recording.state !== 'dropped'
    ? { recordingEnabled: true, ...(recording.format === 'wav' && { recordingFormat: 'wav;l16' }) }
    : {}

/** Where the recording of an ended call is heard, for a quarter of an hour. */
export function recordingOf({ id, recording }: CallRow, urls: RecordingUrls | undefined): Artifact {
  if (!urls || !isHearable(recording)) return {}
  const { stereo, mono } = urls.of(id, recording.format)
  return {
    recording: { stereoUrl: stereo, mono: { combinedUrl: mono } },
    recordingUrl: mono,
    stereoRecordingUrl: stereo,
  }
}

/** The call with its recording. */
export function withRecording(call: Call, row: CallRow, urls: RecordingUrls | undefined): Call {
  const found = recordingOf(row, urls)
  return found.recording ? { ...call, artifact: { ...call.artifact, ...found } } : call
}

/** The record of a call's conversation. */
export function artifactOf(row: CallRow): Artifact {
  const { messages, transcript, performance, activations, variables } = row
  return {
    messages,
    transcript: transcript ?? '',
    ...(performance !== null && { performanceMetrics: performanceMetrics(performance) }),
    ...(activations && speakersOf(activations, messages)),
    ...(variables && { variables }),
  }
}

/** Who spoke, or what was said in each node of a workflow. */
function speakersOf(activations: readonly Activation[], messages: CallRow['messages']): Artifact {
  if (activations.every(({ node }) => node === undefined))
    return { assistantActivations: activations.map(shownActivation) }
  return {
    nodes: activations.flatMap(({ node, variables, time }, index) => {
      const until = activations[index + 1]?.time ?? Number.POSITIVE_INFINITY
      const said = messages.filter((message) => message.time >= time && message.time < until)
      return node === undefined ? [] : [{ nodeName: node, messages: said, ...(variables && { variables }) }]
    }),
  }
}

const shownActivation = ({ assistantName, assistantId }: Activation) => ({
  assistantName,
  ...(assistantId !== undefined && { assistantId }),
})

const said = (row: CallRow): Partial<Call> => ({
  messages: row.messages,
  transcript: row.transcript ?? '',
  artifact: artifactOf(row),
})

/** Adds the address that takes commands for a call, while the call goes on. */
export function monitored(call: Call, apiUrl: string): Call {
  if (call.status === 'ended') return call
  return { ...call, monitor: { controlUrl: `${apiUrl}/call/${call.id}/control` } }
}

type Part = keyof TurnLatency

/** The platform's name of each average (https://docs.vapi.ai/whats-new/2025/8/9), in milliseconds. */
const AVERAGES: Record<Part, string> = {
  modelLatency: 'modelLatencyAverage',
  voiceLatency: 'voiceLatencyAverage',
  transcriberLatency: 'transcriberLatencyAverage',
  endpointingLatency: 'endpointingLatencyAverage',
  turnLatency: 'turnLatencyAverage',
}

/** `artifact.performanceMetrics`: each turn, and the average of every part that was measured at all. */
export function performanceMetrics(performance: SessionPerformance): Record<string, unknown> {
  const { turns, numAssistantInterrupted } = performance
  const parts = Object.keys(AVERAGES) as Part[]
  return {
    turnLatencies: turns,
    ...Object.fromEntries(parts.flatMap((part) => averageOf(part, turns))),
    ...(numAssistantInterrupted !== undefined && { numAssistantInterrupted }),
  }
}

function averageOf(part: Part, turns: readonly TurnLatency[]): [string, number][] {
  const measured = turns.flatMap((turn) => turn[part] ?? [])
  if (measured.length === 0) return []
  return [[AVERAGES[part], Math.round(measured.reduce((sum, ms) => sum + ms, 0) / measured.length)]]
}
