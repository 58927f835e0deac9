import type { ModelMessage } from './model-message.js'
import type { OpenString } from './open-string.js'
import type { CreateFunctionTool, CreateTool } from './tool.js'
import type { PhoneDestination } from './transfer-destination.js'

/** Hands the call on. */
export interface TransferHookAction {
  type: 'transfer'
  destination?: PhoneDestination
}

/** Says something. Not at `call.ending`. */
export interface SayHookAction {
  type: 'say'
  /** One text, or several of which one is taken by chance. */
  exact?: string | string[]
  /** In place of `exact`: what the model is asked to say. */
  prompt?: string | ModelMessage[]
}

/** Calls a function, in the form of a function tool. */
export type FunctionHookAction = CreateFunctionTool

/** Calls a tool, inline or stored. */
export interface ToolHookAction {
  type: 'tool'
  tool?: CreateTool
  toolId?: string
}

/** Adds a message to the conversation. */
export interface AddMessageHookAction {
  type: 'message.add'
  message: ModelMessage
  /** The assistant answers it. Default true. */
  triggerResponseEnabled?: boolean
}

export type HookAction =
  | TransferHookAction
  | SayHookAction
  | FunctionHookAction
  | ToolHookAction
  | AddMessageHookAction

/** What is done, in order, when something happens in a call. */
export interface AssistantHook {
  /** At most 1000 characters. */
  on: OpenString<
    | 'call.ending'
    | 'assistant.speech.interrupted'
    | 'customer.speech.interrupted'
    | 'customer.speech.timeout'
    | 'model.response.timeout'
  >
  do: HookAction[]
  /** All of them must match. */
  filters?: AssistantHookFilter[]
  options?: SpeechTimeoutOptions
  /** At most 1000 characters. Default: a UUID. */
  name?: string
}

/** Lets a hook act only where a value of the call is one of these. */
export interface AssistantHookFilter {
  type: 'oneOf'
  /** Such as `call.endedReason`. At most 1000 characters. */
  key: string
  oneOf: string[]
}

/** For `customer.speech.timeout`; other events have options of their own. */
export interface SpeechTimeoutOptions {
  /** Seconds in which the customer says nothing, 1–1000. Default 7.5. */
  timeoutSeconds?: number
  /** Most times in one call, 1–10. Default 3. */
  triggerMaxCount?: number
  /** Whether the count starts anew when the customer speaks. Default `never`. */
  triggerResetMode?: OpenString<'never' | 'onUserSpeech'>
  [option: string]: unknown
}
