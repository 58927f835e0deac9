import type { ModelMessage } from './model-message.js'
import type { OpenString } from './open-string.js'

/** What is kept of a call. */
export interface ArtifactPlan {
  /** Default true. */
  recordingEnabled?: boolean
  /** Default `wav;l16`. */
  recordingFormat?: 'wav;l16' | 'mp3'
  /** Recordings go to the own storage, where there is one. Default true. */
  recordingUseCustomStorageEnabled?: boolean
  /** Web calls only. Default false. */
  videoRecordingEnabled?: boolean
  /** Phone calls of `vapi` and `byo-phone-number` numbers only: keeps the SIP packets. Default true. */
  pcapEnabled?: boolean
  /** Folder in the own storage. Default `/`. */
  pcapS3PathPrefix?: string
  /** As for recordings. Default true. */
  pcapUseCustomStorageEnabled?: boolean
  /** Default true. */
  loggingEnabled?: boolean
  /** Folder in the own storage. Default `/`. */
  loggingPath?: string
  /** As for recordings. Default true. */
  loggingUseCustomStorageEnabled?: boolean
  /** All messages, also those that a handoff took out of the conversation. Default false. */
  fullMessageHistoryEnabled?: boolean
  transcriptPlan?: TranscriptPlan
  /** Folder in the own storage. Default `/`. */
  recordingPath?: string
  /** Stored structured outputs to fill after the call; the results are in `artifact.structuredOutputs`. */
  structuredOutputIds?: string[]
  /** The same, inline. */
  structuredOutputs?: Record<string, unknown>[]
  /** Stored scorecards, filled from the structured outputs; the results are in `artifact.scorecards`. */
  scorecardIds?: string[]
  /** The same, inline. */
  scorecards?: Record<string, unknown>[]
}

/** How the conversation is written out in `artifact.transcript`. */
export interface TranscriptPlan {
  /** Default true. */
  enabled?: boolean
  /** Default `AI`. */
  assistantName?: string
  /** Default `User`. */
  userName?: string
}

/** One line of a call's record. The assistant's own lines have role `bot`. */
export interface CallMessage {
  role: OpenString<'system' | 'user' | 'bot' | 'tool_calls' | 'tool_call_result'>
  message?: string
  /** Milliseconds since the epoch. */
  time: number
  /** Milliseconds since the epoch. */
  endTime?: number
  secondsFromStart: number
  /** Seconds, as the published schema has it. */
  duration?: number
  source?: string
  toolCalls?: ToolCall[]
  toolCallId?: string
  name?: string
  result?: string
  metadata?: Record<string, unknown>
  assistantId?: string
  assistantName?: string
  /** Who of several speakers it was. */
  speakerLabel?: string
  /** A security filter changed the words. */
  isFiltered?: boolean
  detectedThreats?: string[]
  /** The words before the filter. */
  originalMessage?: string
  warnings?: Record<string, unknown>[]
}

/** A tool that the model asks for. `arguments` is JSON text; some senders give the object itself. */
export interface ToolCall {
  id: string
  type: OpenString<'function'>
  /** The name has at most 80 characters. */
  function: { name: string; arguments: string | Record<string, unknown> }
}

/** Where the recordings of a call are. Presigned addresses differ each time they are read. */
export interface Recording {
  stereoUrl?: string
  videoUrl?: string
  /** Seconds. */
  videoRecordingStartDelaySeconds?: number
  mono?: { combinedUrl?: string; assistantUrl?: string; customerUrl?: string }
}

/** What was said in one node of a workflow, and the variables that were read from it. */
export interface NodeArtifact {
  nodeName?: string
  messages?: CallMessage[]
  variables?: Record<string, unknown>
}

/** What was kept of a call. */
export interface Artifact {
  messages?: CallMessage[]
  messagesOpenAIFormatted?: ModelMessage[]
  /** The whole conversation as text, one line a turn. */
  transcript?: string
  recording?: Recording
  /** @deprecated `recording.mono.combinedUrl` */
  recordingUrl?: string
  /** @deprecated `recording.stereoUrl` */
  stereoRecordingUrl?: string
  /** @deprecated `recording.videoUrl` */
  videoRecordingUrl?: string
  /** @deprecated `recording.videoRecordingStartDelaySeconds` */
  videoRecordingStartDelaySeconds?: number
  logUrl?: string
  pcapUrl?: string
  /** Of a workflow's call: node by node. */
  nodes?: NodeArtifact[]
  /** Of a workflow's call: the variables at its end. */
  variables?: Record<string, unknown>
  variableValues?: Record<string, unknown>
  /** How long each turn took, part by part. */
  performanceMetrics?: Record<string, unknown>
  /** By id of the structured output. */
  structuredOutputs?: Record<string, unknown>
  /** ISO 8601. */
  structuredOutputsLastUpdatedAt?: string
  /** By id of the scorecard. */
  scorecards?: Record<string, unknown>
  /** Who spoke, in order, through all transfers. */
  assistantActivations?: { assistantName: string; assistantId?: string }[]
  /** Of warm transfers. */
  transfers?: unknown[]
}

/** What the platform concluded from a call, after its end. */
export interface Analysis {
  summary?: string
  /** By the schema of `structuredDataPlan`. */
  structuredData?: Record<string, unknown>
  structuredDataMulti?: Record<string, unknown>[]
  /** On the scale that `successEvaluationPlan.rubric` names: `true` or `false` by default. */
  successEvaluation?: string
}
