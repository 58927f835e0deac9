/** Traces of calls, sent to Langfuse. */
export interface ObservabilityPlan {
  provider: 'langfuse'
  tags: string[]
  metadata?: Record<string, unknown>
}
