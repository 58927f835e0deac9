import type { AssistantOverrides, CreateAssistant } from './assistant.js'
import type { CreateSquad } from './squad.js'
import type { CreateWorkflow, WorkflowOverrides } from './workflow.js'

/** Who speaks in a call: one of an assistant, a squad or a workflow, stored (by id) or inline. The platform refuses a call with none. */
export interface CallSpeaker {
  assistantId?: string
  assistant?: CreateAssistant
  assistantOverrides?: AssistantOverrides
  squadId?: string
  squad?: CreateSquad
  workflowId?: string
  workflow?: CreateWorkflow
  workflowOverrides?: WorkflowOverrides
}
