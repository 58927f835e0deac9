import { randomUUID } from 'node:crypto'
import type { AssistantOverrides, CreateAssistant } from '@heyline/platform-client'
import type { CallRow } from '../calls/call-row.js'

export interface WrittenCall {
  orgId: string
  assistantId?: string | undefined
  /** With its overrides applied. */
  assistant: CreateAssistant
  overrides?: AssistantOverrides | undefined
  /** A member below admin has chosen the values in the overrides. */
  isOfMember: boolean
  now: Date
}

/** A call that nobody makes and nobody stores: tools and texts of an assistant that writes see it as theirs. */
export function writtenCall({
  orgId,
  assistantId,
  assistant,
  overrides,
  isOfMember,
  now,
}: WrittenCall): CallRow {
  return {
    ...{ id: randomUUID(), org_id: orgId, type: 'webCall', status: 'in-progress', assistant },
    ...{ assistant_id: assistantId ?? null, assistant_given: null, overrides: overrides ?? null },
    ...{ ended_reason: null, name: null, squad_id: null, workflow_id: null, script: null },
    ...{ activations: null, variables: null, phone_number_id: null, customer: null },
    // Those values count for as much in tools as a page's.
    is_public: isOfMember,
    ...{ carrier: null, carrier_call_id: null, messages: [], transcript: null, performance: null },
    ...{ analysis: null, costs: null, forwarded_to: null, ended_at: null },
    ...{ started_at: now, created_at: now, updated_at: now },
  }
}
