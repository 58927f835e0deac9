import type { CallPlans } from './call-plans.js'
import type { ClientMessageType, ServerMessageType } from './message-type.js'
import type { Model } from './model.js'
import type { ListQuery, PageMetadata, PageQuery } from './page.js'

/** Everything that can be said about an assistant. Each field is optional, and the platform has a default for each. */
export interface AssistantSettings extends CallPlans {
  /** At most 40 characters. Needed where a squad transfers to the assistant. */
  name?: string
  model?: Model
  /** Spoken first, verbatim; or the address of an audio file. Not set: the assistant waits for the user. */
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
  /**
   * Which messages the client in the room gets. Default `conversation-update`, `function-call`, `hang`, `model-output`,
   * `speech-update`, `status-update`, `transfer-update`, `transcript`, `tool-calls`, `user-interrupted`, `voice-input`,
   * `workflow.node.started`, `assistant.started`.
   */
  clientMessages?: ClientMessageType[]
  /**
   * Which messages the server gets. Default `conversation-update`, `end-of-call-report`, `function-call`, `hang`, `speech-update`,
   * `status-update`, `tool-calls`, `transfer-destination-request`, `handoff-destination-request`, `user-interrupted`, `assistant.started`.
   */
  serverMessages?: ServerMessageType[]
  /** The conversation holds what the model wrote, and not what was heard of it. Default false. */
  modelOutputInMessagesEnabled?: boolean
  /** Said before the assistant ends the call, at most 1000 characters. Not set: it ends without a word. */
  endCallMessage?: string
  /** The call ends when the assistant says one of these, 2–140 characters each. Upper and lower case are the same. */
  endCallPhrases?: string[]
  messagePlan?: MessagePlan
  /** What telephony providers are told of a call; only the one of the call's provider is used. */
  transportConfigurations?: TransportConfiguration[]
  /** The developer's own notes; the platform only stores them. */
  metadata?: Record<string, unknown>
  /** Default false. @deprecated `backgroundSpeechDenoisingPlan` */
  backgroundDenoisingEnabled?: boolean
}

/** Body of `assistants.create`, and an assistant given inline in a call. */
export type CreateAssistant = AssistantSettings

/** Body of `assistants.update`, which changes only the fields given, and of `assistants.replace`, which leaves no others. */
export type UpdateAssistant = AssistantSettings

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

/** Query of `assistants.listPage` and `assistants.pages`. */
export type ListAssistantsPage = PageQuery

/** What the assistant says when the customer says nothing. */
export interface MessagePlan {
  /** One of these, by chance, each time. Default: nothing is said. */
  idleMessages?: string[]
  /** Seconds of silence before an idle message, 5–60. Default 10. */
  idleTimeoutSeconds?: number
  /** Most idle messages of one call, 1–10. Default 3. */
  idleMessageMaxSpokenCount?: number
  /** The count starts anew when the customer speaks. Default false. */
  idleMessageResetCountOnUserSpeechEnabled?: boolean
  /** Said before a call ends for silence. At most 1000 characters. */
  silenceTimeoutMessage?: string
}

/** What Twilio is told of a call. */
export interface TransportConfiguration {
  provider: 'twilio'
  /** Seconds to ring, 1–600. Default 60. */
  timeout?: number
  /** Twilio keeps a recording of its own. Default false. */
  record?: boolean
  /** Default `mono`. */
  recordingChannels?: 'mono' | 'dual'
}

/** One earlier state of an assistant. The platform publishes no schema of it. */
export interface AssistantVersion {
  [field: string]: unknown
}

/** Query of `assistants.listVersions` and `assistants.versionPages`. */
export interface ListAssistantVersions {
  /** Counts from 1. Default 1. */
  page?: number
  /** Most versions of a page. */
  limit?: number
  /** `nextPageState` of the page before. */
  pageState?: string
}

/** One page of an assistant's versions. These pages go on by a token, and not by number. */
export interface AssistantVersionPage {
  results: AssistantVersion[]
  metadata: PageMetadata
  /** The next page's `pageState`. Missing on the last page. */
  nextPageState?: string
}
