import type { OpenString } from './open-string.js'

/** What an operation is computed from. Costs are US dollars. */
export type AnalyticsColumn = OpenString<
  | 'id'
  | 'cost'
  | 'costBreakdown.llm'
  | 'costBreakdown.stt'
  | 'costBreakdown.tts'
  | 'costBreakdown.vapi'
  | 'costBreakdown.transport'
  | 'costBreakdown.analysisBreakdown.summary'
  | 'costBreakdown.transcriber'
  | 'costBreakdown.ttsCharacters'
  | 'costBreakdown.llmPromptTokens'
  | 'costBreakdown.llmCompletionTokens'
  | 'costBreakdown.llmCachedPromptTokens'
  | 'duration'
  | 'concurrency'
  | 'minutesUsed'
>

export interface AnalyticsOperation {
  operation: 'sum' | 'avg' | 'count' | 'min' | 'max' | 'history'
  column: AnalyticsColumn
  /** The field's name in the result, at most 40 characters. Default: operation and column in one word (`sumduration`). */
  alias?: string
}

/** The time that a query looks at. */
export interface AnalyticsTimeRange {
  /** One result for each of these. Not set: one result for the whole range. */
  step?:
    | 'second'
    | 'minute'
    | 'hour'
    | 'day'
    | 'week'
    | 'month'
    | 'quarter'
    | 'year'
    | 'decade'
    | 'century'
    | 'millennium'
  /** ISO 8601. Default: 7 days ago. */
  start?: string
  /** ISO 8601. Default: now. */
  end?: string
  /** A name of the IANA database. Default `UTC`. */
  timezone?: string
}

/** One question to the platform's figures. */
export interface AnalyticsQuery {
  table: 'call' | 'subscription'
  /** Names the answer to this query; at most 40 characters. */
  name: string
  operations: AnalyticsOperation[]
  /** One result for each combination of these columns' values. */
  groupBy?: OpenString<'type' | 'assistantId' | 'endedReason' | 'analysis.successEvaluation' | 'status'>[]
  /** One result for each value of these variables of the calls. `key`: at most 100 characters. */
  groupByVariableValue?: { key: string }[]
  timeRange?: AnalyticsTimeRange
}

/** Body of `analytics.query`. */
export interface QueryAnalytics {
  queries: AnalyticsQuery[]
}

/** The answer to one query. */
export interface AnalyticsResult {
  /** The query's name. */
  name: string
  timeRange: AnalyticsTimeRange
  /** One object a group and step: `date`, the columns grouped by, and a field for each operation. */
  result: Record<string, unknown>[]
}
