import type { AssistantOverrides, CreateAssistant } from './assistant.js'
import type { Customer } from './customer.js'
import type { ImportTwilioPhoneNumber } from './phone-number.js'
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

/** Body of `calls.createWeb`. */
export interface CreateWebCall extends CallSpeaker {
  /** Which version of the stored assistant speaks. Not set: the newest. */
  assistantVersion?: string
  /** Overrides for the assistants of the squad. */
  squadOverrides?: AssistantOverrides
  /** The room goes when the user leaves it. Default true. */
  roomDeleteOnUserLeaveEnabled?: boolean
}

/** What every phone call, single or batch, can say. */
interface CreatePhoneCall extends CallSpeaker {
  /** The stored number that is the caller id. */
  phoneNumberId?: string
  /** A number given inline, of an account at Twilio. */
  phoneNumber?: ImportTwilioPhoneNumber
  /** At most 40 characters. */
  name?: string
  /** When to dial. Not set: at once. */
  schedulePlan?: SchedulePlan
  /** Settings for the telephony provider, passed on as they are. */
  transport?: Record<string, unknown>
}

/** Body of `calls.create` for one phone call. Without `schedulePlan` the platform dials at once. */
export interface CreateCall extends CreatePhoneCall {
  customer?: Customer
  customerId?: string
}

/** Body of `calls.create` for one phone call to each of several customers. */
export interface CreateCallBatch extends CreatePhoneCall {
  customers: Customer[]
}

/** When to dial. */
export interface SchedulePlan {
  /** Not before; ISO 8601. */
  earliestAt: string
  /** Not after; ISO 8601. */
  latestAt?: string
}
