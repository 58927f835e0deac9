import { apiKeyOperations } from './api-key-operations.js'
import { assistantOperations } from './assistant-operations.js'
import { callOperations } from './call-operations.js'
import { doNotCallOperations } from './do-not-call-operations.js'
import { endpointOperations } from './endpoint-operations.js'
import { installationOperations } from './installation-operations.js'
import { knowledgeOperations } from './knowledge-operations.js'
import { liveOperations } from './live-operations.js'
import { numberOperations } from './number-operations.js'
import type { Operation } from './operation.js'
import { operatorOperations } from './operator-operations.js'
import { personOperations } from './person-operations.js'
import { safetyOperations } from './safety-operations.js'
import { sessionOperations } from './session-operations.js'
import { ticketOperations } from './ticket-operations.js'
import { timelineOperations } from './timeline-operations.js'
import { undoOperations } from './undo-operations.js'
import { visitorOperations } from './visitor-operations.js'

/** All that the operator API does, by noun. This is its only list. */
export const OPERATIONS = {
  visitors: visitorOperations,
  calls: callOperations,
  doNotCall: doNotCallOperations,
  safety: safetyOperations,
  timeline: timelineOperations,
  endpoints: endpointOperations,
  live: liveOperations,
  people: personOperations,
  assistant: assistantOperations,
  operators: operatorOperations,
  session: sessionOperations,
  apiKeys: apiKeyOperations,
  installation: installationOperations,
  numbers: numberOperations,
  undo: undoOperations,
  knowledge: knowledgeOperations,
  tickets: ticketOperations,
} satisfies Record<string, Record<string, Operation>>

export type Operations = typeof OPERATIONS

/** The operations one by one, with their names: `visitors.list`. */
export const eachOperation = (): { noun: string; verb: string; name: string; operation: Operation }[] =>
  Object.entries(OPERATIONS).flatMap(([noun, verbs]) =>
    Object.entries<Operation>(verbs).map(([verb, operation]) => ({
      noun,
      verb,
      name: `${noun}.${verb}`,
      operation,
    })),
  )
