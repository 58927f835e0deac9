import type { ArtifactPlan } from './artifact.js'
import type { ListQuery } from './list-query.js'
import type { Model } from './model.js'
import type { OpenString } from './open-string.js'
import type { Server } from './server.js'

/** A provider's settings: which provider, and whatever else that provider takes. */
export interface ProviderSettings {
  provider: string
  [setting: string]: unknown
}

/** Messages that the platform sends to the client in the room. */
export type ClientMessageType = OpenString<
  | 'conversation-update'
  | 'function-call'
  | 'function-call-result'
  | 'hang'
  | 'language-changed'
  | 'metadata'
  | 'model-output'
  | 'speech-update'
  | 'status-update'
  | 'transcript'
  | 'tool-calls'
  | 'tool-calls-result'
  | 'transfer-update'
  | 'user-interrupted'
  | 'voice-input'
>

/** Messages that the platform sends to the assistant's server. */
export type ServerMessageType = OpenString<
  | 'conversation-update'
  | 'end-of-call-report'
  | 'function-call'
  | 'hang'
  | 'model-output'
  | 'speech-update'
  | 'status-update'
  | 'transcript'
  | "transcript[transcriptType='final']"
  | 'tool-calls'
  | 'transfer-destination-request'
  | 'transfer-update'
  | 'user-interrupted'
  | 'voice-input'
>

/** Everything that can be said about an assistant. Each field is optional, and the platform has a default for each. */
export interface AssistantSettings {
  /** At most 40 characters. */
  name?: string
  model?: Model
  voice?: ProviderSettings
  transcriber?: ProviderSettings
  /** Spoken first, verbatim; or the address of an audio file. */
  firstMessage?: string
  /** Default `assistant-speaks-first`. */
  firstMessageMode?:
    | 'assistant-speaks-first'
    | 'assistant-speaks-first-with-model-generated-message'
    | 'assistant-waits-for-user'
  /** Default false. */
  firstMessageInterruptionsEnabled?: boolean
  /** The call ends after this many seconds: 10–43,200. Default 600. */
  maxDurationSeconds?: number
  /** The call ends after this many seconds in which nobody spoke: 10–3600. Default 30. */
  silenceTimeoutSeconds?: number
  /** Web calls: seconds to wait for the customer to join, 1–60. Default 15. */
  customerJoinTimeoutSeconds?: number
  /** Which messages the client in the room gets. */
  clientMessages?: ClientMessageType[]
  /** Which messages the server gets. */
  serverMessages?: ServerMessageType[]
  /** `off`, `office`, or the address of an audio file. */
  backgroundSound?: OpenString<'off' | 'office'>
  /** Default false. */
  modelOutputInMessagesEnabled?: boolean
  /** At most 1000 characters. */
  voicemailMessage?: string
  /** At most 1000 characters. */
  endCallMessage?: string
  /** The call ends when the assistant says one of these. */
  endCallPhrases?: string[]
  /** The developer's own notes; the platform only stores them. */
  metadata?: Record<string, unknown>
  server?: Server
  credentialIds?: string[]
  artifactPlan?: ArtifactPlan
  analysisPlan?: Record<string, unknown>
  compliancePlan?: Record<string, unknown>
  startSpeakingPlan?: Record<string, unknown>
  stopSpeakingPlan?: Record<string, unknown>
  monitorPlan?: Record<string, unknown>
  keypadInputPlan?: Record<string, unknown>
  voicemailDetection?: ProviderSettings | 'off'
  hooks?: Record<string, unknown>[]
}

/** Body of `assistants.create`, and an assistant given inline in a call. */
export type CreateAssistant = AssistantSettings

/** What a call changes about its assistant. A field given here replaces the assistant's whole field. */
export interface AssistantOverrides extends AssistantSettings {
  /** Values of the `{{name}}` placeholders in prompts and messages. */
  variableValues?: Record<string, unknown>
}

/** A stored assistant. */
export interface Assistant extends AssistantSettings {
  id: string
  orgId: string
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
}

/** Query of `assistants.list`. */
export type ListAssistants = ListQuery
