import type { JsonSchema } from './json-schema.js'
import type { ModelMessage } from './model-message.js'
import type { OpenString } from './open-string.js'

interface AnalysisStep {
  /** The prompt, in place of the platform's own; `{{transcript}}`, `{{systemPrompt}}`, `{{schema}}`, `{{rubric}}` and `{{endedReason}}` are filled in. */
  messages?: ModelMessage[]
  /** Seconds before the step is given up and its result left out, 1–60. Default 5. */
  timeoutSeconds?: number
}

/** The step that fills `analysis.summary`. */
export interface SummaryPlan extends AnalysisStep {
  /** Default true. */
  enabled?: boolean
}

/** The step that fills `analysis.structuredData`. */
export interface StructuredDataPlan extends AnalysisStep {
  /** Default false. */
  enabled?: boolean
  /** What to read from the call. */
  schema?: JsonSchema
}

/** A named step whose result is an item of `analysis.structuredDataMulti`. */
export interface StructuredDataMultiPlan {
  key: string
  plan: StructuredDataPlan
}

/** The step that fills `analysis.successEvaluation`. */
export interface SuccessEvaluationPlan extends AnalysisStep {
  /** Default true. */
  enabled?: boolean
  /** The scale of the answer. Default `PassFail`, which answers `true` or `false`. */
  rubric?: OpenString<
    | 'NumericScale'
    | 'DescriptiveScale'
    | 'Checklist'
    | 'Matrix'
    | 'PercentageScale'
    | 'LikertScale'
    | 'AutomaticRubric'
    | 'PassFail'
  >
}

/** What the platform concludes from a call after its end; the results are in `call.analysis`. */
export interface AnalysisPlan {
  /** A call with fewer messages is not analysed. At least 0; default 2. */
  minMessagesThreshold?: number
  summaryPlan?: SummaryPlan
  structuredDataPlan?: StructuredDataPlan
  structuredDataMultiPlan?: StructuredDataMultiPlan[]
  successEvaluationPlan?: SuccessEvaluationPlan
}
