import type { ModelMessage } from './model.js'
import type { OpenString } from './open-string.js'

/** What is kept of a call. */
export interface ArtifactPlan {
  /** Default true. */
  recordingEnabled?: boolean
  /** Default `wav;l16`. */
  recordingFormat?: 'wav;l16' | 'mp3'
  /** Web calls only. Default false. */
  videoRecordingEnabled?: boolean
  /** Phone calls only. */
  pcapEnabled?: boolean
  loggingEnabled?: boolean
  transcriptPlan?: { enabled?: boolean; assistantName?: string; userName?: string }
  /** Folder in the own storage. Default `/`. */
  recordingPath?: string
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
  /** Milliseconds. */
  duration?: number
  source?: string
  toolCalls?: ToolCall[]
  toolCallId?: string
  name?: string
  result?: string
  metadata?: Record<string, unknown>
}

/** A tool that the model asks for. `arguments` is JSON text; some senders give the object itself. */
export interface ToolCall {
  id: string
  type: OpenString<'function'>
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
  logUrl?: string
  pcapUrl?: string
  variableValues?: Record<string, unknown>
  performanceMetrics?: Record<string, unknown>
  structuredOutputs?: Record<string, unknown>
}

/** What the platform concluded from a call, after its end. */
export interface Analysis {
  summary?: string
  structuredData?: Record<string, unknown>
  structuredDataMulti?: Record<string, unknown>[]
  successEvaluation?: string
}
