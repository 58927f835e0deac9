import { storable } from '@heyline/kit/storable'
import type { Analysis } from '@heyline/platform-client'
import type { GivenAnalysisPlan } from '../assistants/analysis-plan-schema.js'
import { templateFiller } from '../assistants/template.js'
import type { ModelMessage } from '../engines/engine.js'
import { jsonAnswer, misfit } from './json-answer.js'
import { RUBRICS } from './rubrics.js'

/** What is known of a call that is over. */
export interface EndedCall {
  transcript: string
  systemPrompt: string
  endedReason: string
  now: Date
}

/** One question to the model, and what its answer adds to the analysis; undefined where the answer is none. */
export interface AnalysisStep {
  name: string
  messages: ModelMessage[]
  maxTokens: number
  timeoutSeconds: number
  read(answer: string): Analysis | undefined
}

/** Seconds of a step, where its plan names none (the platform's own). */
const TIMEOUT_SECONDS = 5
/** Most characters of a call that a step reads: the end of a longer one. */
const MOST_READ = 60_000
const MOST_PROMPT = 100_000
/** Longest summary that is kept. */
const MOST_SUMMARY = 4_000

/** What is kept of a long text: without half of a character at its end. */
const begun = (text: string): string => storable(text.slice(0, MOST_SUMMARY))

const SUMMARY =
  'You write notes about telephone calls. Summarise the call in two or three sentences. Write only what was said in it.'
const STRUCTURED =
  'You read data out of telephone calls. Answer with one JSON object by the JSON schema, and nothing else. Leave out what was not said.\n\nJSON schema:\n{{schema}}'
const SUCCESS =
  'You judge whether a telephone call was a success: whether the assistant did in it what its system prompt asks for.\n{{rubric}}\n\nSystem prompt of the assistant:\n{{systemPrompt}}'
const CALL = 'Transcript of the call:\n{{transcript}}\n\nThe call ended because of: {{endedReason}}'

/** What a plan asks the model about a call. An empty list where the call is too short, or nothing is asked. */
export function analysisSteps(plan: GivenAnalysisPlan, call: EndedCall): AnalysisStep[] {
  const { summaryPlan = {}, structuredDataPlan = {}, successEvaluationPlan = {} } = plan
  const steps: AnalysisStep[] = []
  const add = (
    name: string,
    {
      messages,
      timeoutSeconds = TIMEOUT_SECONDS,
    }: {
      messages?: { role: ModelMessage['role']; content: string }[] | undefined
      timeoutSeconds?: number | undefined
    },
    own: { prompt: string; values?: Record<string, unknown>; maxTokens: number; read: AnalysisStep['read'] },
  ) => {
    const { transcript, systemPrompt, endedReason, now } = call
    const values = {
      transcript: transcript.slice(-MOST_READ),
      systemPrompt: systemPrompt.slice(0, MOST_READ),
      endedReason,
      ...own.values,
    }
    const fill = templateFiller({ values, now })
    const asked = messages ?? [
      { role: 'system' as const, content: own.prompt },
      { role: 'user' as const, content: CALL },
    ]
    steps.push({
      ...{ name, timeoutSeconds, maxTokens: own.maxTokens },
      messages: asked.map(({ role, content }) => ({ role, content: fill(content, MOST_PROMPT) })),
      read: (answer) => own.read(storable(answer).trim()),
    })
  }
  if (summaryPlan.enabled !== false)
    add('summary', summaryPlan, {
      ...{ prompt: SUMMARY, maxTokens: 500 },
      read: (answer) => (answer === '' ? undefined : { summary: begun(answer) }),
    })
  const dataOf = (answer: string, schema: unknown) => {
    const data = jsonAnswer(answer)
    return data && misfit(data, schema) === undefined ? data : undefined
  }
  const structured = (schema: unknown) => ({
    prompt: STRUCTURED,
    values: { schema: JSON.stringify(schema ?? { type: 'object' }) },
    maxTokens: 1_000,
  })
  if (structuredDataPlan.enabled)
    add('structuredData', structuredDataPlan, {
      ...structured(structuredDataPlan.schema),
      read: (answer) => {
        const structuredData = dataOf(answer, structuredDataPlan.schema)
        return structuredData && { structuredData }
      },
    })
  for (const { key, plan: own } of plan.structuredDataMultiPlan ?? [])
    if (own.enabled !== false)
      add(`structuredDataMulti.${key}`, own, {
        ...structured(own.schema),
        read: (answer) => {
          const data = dataOf(answer, own.schema)
          return data && { structuredDataMulti: [{ [key]: data }] }
        },
      })
  if (successEvaluationPlan.enabled !== false) {
    const named = successEvaluationPlan.rubric ?? 'PassFail'
    const rubric = Object.hasOwn(RUBRICS, named) ? RUBRICS[named] : undefined
    const asks = rubric?.asks ?? `Judge by this rubric: ${named}`
    add('successEvaluation', successEvaluationPlan, {
      ...{ prompt: SUCCESS, values: { rubric: asks }, maxTokens: 500 },
      read: (answer) => {
        const successEvaluation = rubric ? rubric.read(answer) : begun(answer) || undefined
        return successEvaluation === undefined ? undefined : { successEvaluation }
      },
    })
  }
  return steps
}
