import type { AnalysisCost, CallCost, CostBreakdown } from '@heyline/platform-client'
import { type EngineUsage, tokensOf } from '../engines/engine-usage.js'

/** What the parts of a call cost the operator, in US dollars. */
export interface Prices {
  modelInputPerMillion: number
  modelOutputPerMillion: number
  transcriberPerMinute: number
  /** Of 1,000 characters. */
  voicePerThousand: number
  platformPerMinute: number
}

/** The model's settings, as a position names them. */
export interface NamedModel {
  provider?: string
  model?: string | undefined
}

/** What a model worked: tokens that it has counted, and the weight of what it has not. */
export type ModelWork = Pick<EngineUsage, 'promptTokens' | 'completionTokens' | 'modelRead' | 'modelWritten'>

/** Tokens that the model has not counted are estimated from the text, and the position says so. */
export function modelCost(prices: Prices, model: NamedModel, work: ModelWork) {
  const promptTokens = work.promptTokens + tokensOf(work.modelRead)
  const completionTokens = work.completionTokens + tokensOf(work.modelWritten)
  const isEstimated = work.modelRead + work.modelWritten > 0
  const { modelInputPerMillion, modelOutputPerMillion } = prices
  const cost = dollars((promptTokens * modelInputPerMillion + completionTokens * modelOutputPerMillion) / 1e6)
  return { model: { ...model }, promptTokens, completionTokens, cost, ...(isEstimated && { isEstimated }) }
}

/** The positions of a conversation that took so many seconds. */
export function callCosts(
  prices: Prices,
  usage: EngineUsage,
  seconds: number,
  model: NamedModel,
): CallCost[] {
  const minutes = rounded(seconds / 60)
  const transcribed = rounded(usage.transcribedSeconds / 60)
  const characters = usage.spokenCharacters
  return [
    {
      type: 'transcriber',
      transcriber: {},
      minutes: transcribed,
      cost: dollars(transcribed * prices.transcriberPerMinute),
    },
    { type: 'model', ...modelCost(prices, model, usage) },
    { type: 'voice', voice: {}, characters, cost: dollars((characters / 1000) * prices.voicePerThousand) },
    { type: 'vapi', subType: 'normal', minutes, cost: dollars(minutes * prices.platformPerMinute) },
  ]
}

export const totalOf = (costs: readonly CallCost[]): number =>
  dollars(costs.reduce((sum, { cost }) => sum + cost, 0))

/** The same, part by part. */
export function costBreakdown(costs: readonly CallCost[]): CostBreakdown {
  const of = <Type extends CallCost['type']>(type: Type) =>
    costs.filter((position): position is Extract<CallCost, { type: Type }> => position.type === type)
  const models = of('model')
  const analyses = of('analysis')
  const sum = <Position>(positions: readonly Position[], value: (position: Position) => number) =>
    positions.reduce((all, position) => all + value(position), 0)
  const step = (name: string, value: (position: AnalysisCost) => number) =>
    sum(
      analyses.filter(({ analysisType }) => analysisType === name),
      value,
    )
  const steps = () =>
    ['summary', 'structuredData', 'successEvaluation'].flatMap((name) => [
      [name, dollars(step(name, ({ cost }) => cost))],
      [`${name}PromptTokens`, step(name, ({ promptTokens }) => promptTokens)],
      [`${name}CompletionTokens`, step(name, ({ completionTokens }) => completionTokens)],
    ])
  return {
    stt: totalOf(of('transcriber')),
    llm: totalOf(models),
    tts: totalOf(of('voice')),
    vapi: totalOf(of('vapi')),
    total: totalOf(costs),
    llmPromptTokens: sum(models, ({ promptTokens }) => promptTokens),
    llmCompletionTokens: sum(models, ({ completionTokens }) => completionTokens),
    ttsCharacters: sum(of('voice'), ({ characters }) => characters),
    ...(analyses.length > 0 && { analysisCostBreakdown: Object.fromEntries(steps()) }),
  }
}

/** Without the rests of binary fractions. */
const rounded = (value: number): number => Number(value.toFixed(4))
const dollars = (value: number): number => Number(value.toFixed(6))
