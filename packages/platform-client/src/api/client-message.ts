import type { LiveMessage } from './live-message.js'
import type { MessageContext } from './message-context.js'
import type { RecordMessage } from './record-message.js'

/** Something for the client, in a form of the sender's own. */
export interface MetadataMessage extends MessageContext {
  type: 'metadata'
  metadata: string
}

/** A tool has answered. */
export interface ToolCallsResult extends MessageContext {
  type: 'tool-calls-result'
  toolCallResult: Record<string, unknown>
}

/** A tool is done, in one of two forms for which no schema is published. */
export interface ToolDone extends MessageContext {
  type: 'function-call-result' | 'tool.completed'
  [field: string]: unknown
}

/** A workflow came to another node. */
export interface WorkflowNodeStarted extends MessageContext {
  type: 'workflow.node.started'
  node: Record<string, unknown>
}

/** What the platform sends to a client in the room. It adds types: leave one that you do not know alone. */
export type ClientMessage =
  | LiveMessage
  | RecordMessage
  | MetadataMessage
  | ToolCallsResult
  | ToolDone
  | WorkflowNodeStarted
