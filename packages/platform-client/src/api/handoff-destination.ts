import type { AssistantOverrides, CreateAssistant } from './assistant.js'
import type { VariableExtractionPlan } from './json-schema.js'

/** An assistant that takes over: by name, by id, or, in a server's answer, inline. */
export interface HandoffDestination {
  type: 'assistant'
  assistantName?: string
  assistantId?: string
  assistant?: CreateAssistant
  assistantOverrides?: AssistantOverrides
  /** Tells the model when to choose this destination. */
  description?: string
  /** What the next assistant knows of the conversation so far; `type` says how much. */
  contextEngineeringPlan?: { type: string; [setting: string]: unknown }
  variableExtractionPlan?: VariableExtractionPlan
}
