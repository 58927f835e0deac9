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
