import type { CallPlans } from './call-plans.js'
import type { NodeModel, WorkflowNode } from './workflow-node.js'

/** Body of `workflows.create`, and a workflow given inline in a call. */
export interface CreateWorkflow extends CallPlans {
  /** At most 80 characters. */
  name: string
  nodes: WorkflowNode[]
  edges: WorkflowEdge[]
  /** Of the nodes that name none. */
  model?: NodeModel
  /** The call ends after this many seconds: 10–43,200. Default 1800. */
  maxDurationSeconds?: number
  /** Holds in every node. At most 5000 characters. */
  globalPrompt?: string
}

/** Body of `workflows.update`. */
export type UpdateWorkflow = Partial<CreateWorkflow>

/** What a call changes about its workflow. */
export interface WorkflowOverrides {
  /** Values of the `{{name}}` placeholders in prompts and messages. */
  variableValues?: Record<string, unknown>
}

/** A stored workflow. */
export interface Workflow extends CreateWorkflow {
  id: string
  orgId: string
  /** ISO 8601. */
  createdAt: string
  /** ISO 8601. */
  updatedAt: string
}

/** Body of `workflows.generate`. */
export interface GenerateWorkflow {
  /** Stored tools that the workflow may call. */
  toolIds?: string[]
}

/** A workflow that was generated and is not stored: the body of `workflows.create`. */
export type GeneratedWorkflow = CreateWorkflow

/** A way from one node to another. */
export interface WorkflowEdge {
  /** The name of a node, at most 80 characters. */
  from: string
  /** The name of a node, at most 80 characters. */
  to: string
  /** Not set: always taken. */
  condition?: EdgeCondition
  /** The developer's own notes; the platform only stores them. */
  metadata?: Record<string, unknown>
}

/** Judged by a model. */
export interface EdgeCondition {
  type: 'ai'
  /** A statement that is true or false. At most 1000 characters. */
  prompt: string
}
