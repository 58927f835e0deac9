import type {
  Analysis,
  AssistantOverrides,
  CallCost,
  CreateAssistant,
  Customer,
} from '@heyline/platform-client'
import { RECORDING_COLUMN, type RecordingRow } from '../recording/recording-row.js'
import type { SessionMessage, SessionPerformance } from '../session/session.js'
import type { Activation } from '../session/session-assistant.js'
import { MESSAGES_COLUMN, SAID_COLUMNS, TRANSCRIPT_COLUMN } from './call-lines.js'
import type { CallScript } from './call-script.js'

export type StoredCallType = 'webCall' | 'outboundPhoneCall' | 'inboundPhoneCall'
export type StoredCallStatus = 'queued' | 'ringing' | 'in-progress' | 'ended'

/** A row of `voice_platform.calls` with the installation's org id, and without the hashes of secrets. */
export interface CallRow {
  id: string
  org_id: string
  type: StoredCallType
  status: StoredCallStatus
  ended_reason: string | null
  name: string | null
  assistant_id: string | null
  assistant_given: CreateAssistant | null
  overrides: AssistantOverrides | null
  squad_id: string | null
  workflow_id: string | null
  /** Of the call desk, which placed the call for it. */
  campaign_id?: string | null
  /** Null: one assistant, and whom its own tools hand the call to. */
  script: CallScript | null
  /** Who spoke in an ended call, where somebody took over. */
  activations: Activation[] | null
  /** What was read from the conversation of an ended call for those who took over. */
  variables: Record<string, unknown> | null
  phone_number_id: string | null
  customer: Customer | null
  /** Whether the network vouches for the customer's number. Null or left out: it is no call to us. */
  caller_proven?: boolean | null
  /** A page has begun it, with the public key or a public token; or, in writing, a member below admin has chosen its values. */
  is_public?: boolean
  /** The assistant that speaks: stored or given, with the overrides applied. */
  assistant: CreateAssistant
  /** What carries a phone call. Of a web call `vapi.websocket`, where a program asked for that transport. */
  carrier: string | null
  carrier_call_id: string | null
  messages: SessionMessage[]
  transcript: string | null
  /** Of an ended call whose session measured something. */
  performance: SessionPerformance | null
  /** What the model concluded from it after its end. */
  analysis: Analysis | null
  /** What its parts cost, where prices are known. */
  costs: CallCost[] | null
  /** The number that an ended call had been transferred to, E.164. */
  forwarded_to: string | null
  /** Null or left out: nothing of the call is recorded, or nothing any more. */
  recording?: RecordingRow | null
  /** When a carrier began to bill the call, whether or not a conversation followed. Null or left out: it did not, or has no price. */
  answered_at?: Date | null
  started_at: Date | null
  ended_at: Date | null
  created_at: Date
  updated_at: Date
}

const SMALL_COLUMNS = `id, (select org_id from voice_platform.settings) as org_id, type, status, ended_reason, name, assistant_id,
  squad_id, workflow_id, campaign_id, phone_number_id, customer, caller_proven, is_public, carrier, carrier_call_id, costs, forwarded_to, ${RECORDING_COLUMN},
  answered_at, started_at, ended_at, created_at, updated_at`
const LARGE_COLUMNS = 'assistant_given, overrides, script, activations, variables, performance, analysis'
/** All that a list shows of the assistant is what its plan says. */
const PLAN_COLUMN = `jsonb_build_object('artifactPlan', assistant -> 'artifactPlan') as assistant`

/** The columns of a `CallRow`, for `select` and `returning` on `voice_platform.calls`. */
export const CALL_COLUMNS = `${SMALL_COLUMNS}, ${LARGE_COLUMNS}, assistant, ${SAID_COLUMNS}`

/** A call in a list: `messages` are the text of their JSON, which a list only hands on, and `assistant` has its `artifactPlan` alone. */
export interface ListedCallRow extends Omit<CallRow, 'messages' | 'assistant'> {
  messages: string
  assistant: Pick<CreateAssistant, 'artifactPlan'>
}

export const LISTED_COLUMNS = `${SMALL_COLUMNS}, ${LARGE_COLUMNS}, ${PLAN_COLUMN},
  (${MESSAGES_COLUMN})::text as messages, ${TRANSCRIPT_COLUMN} as transcript`

/** The columns of a `ListedCallRow` without what was said and what a request brought. */
export const OUTLINE_COLUMNS = `${SMALL_COLUMNS}, ${PLAN_COLUMN}, '[]' as messages, null as transcript,
  ${LARGE_COLUMNS.split(', ')
    .map((name) => `null as ${name}`)
    .join(', ')}`
