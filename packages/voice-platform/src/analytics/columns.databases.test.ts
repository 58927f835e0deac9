import type { Db } from '@heyline/database'
import { systemClock } from '@heyline/kit/clock'
import type { AnalyticsColumn, CallCost } from '@heyline/platform-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { costBreakdown } from '../calls/call-costs.js'
import { storePastCalls } from '../testing/past-calls.js'
import { openPlatformDb } from '../testing/platform-db.js'
import { askAnalytics } from './analytics.js'
import { queryAnalytics } from './analytics-query.js'

let db: Db
beforeAll(async () => {
  db = await openPlatformDb()
})
afterAll(() => db.close())

const analysis = (analysisType: string, cost: number) =>
  ({ type: 'analysis', analysisType, model: {}, promptTokens: 40, completionTokens: 8, cost }) as const
const COSTS: CallCost[] = [
  { type: 'transcriber', transcriber: {}, minutes: 2, cost: 0.02 },
  { type: 'model', model: {}, promptTokens: 900, completionTokens: 90, cost: 0.03 },
  { type: 'voice', voice: {}, characters: 400, cost: 0.04 },
  { type: 'vapi', subType: 'normal', minutes: 2, cost: 0.1 },
  analysis('summary', 0.006),
  analysis('successEvaluation', 0.001),
]
const shown = costBreakdown(COSTS)

it.each<[AnalyticsColumn, number | undefined]>([
  ['costBreakdown.llm', shown.llm],
  ['costBreakdown.stt', shown.stt],
  ['costBreakdown.transcriber', shown.stt],
  ['costBreakdown.tts', shown.tts],
  ['costBreakdown.vapi', shown.vapi],
  ['costBreakdown.transport', 0],
  ['costBreakdown.analysisBreakdown.summary', shown.analysisCostBreakdown?.summary],
  ['costBreakdown.ttsCharacters', shown.ttsCharacters],
  ['costBreakdown.llmPromptTokens', shown.llmPromptTokens],
  ['costBreakdown.llmCompletionTokens', shown.llmCompletionTokens],
  ['costBreakdown.llmCachedPromptTokens', 0],
  ['cost', shown.total],
])('the sum of %s is what the calls show', async (column, sum) => {
  const [id] = await storePastCalls(db, [{ at: '2024-05-01T10:00:00.000Z', costs: COSTS }])
  const { queries } = queryAnalytics.parse({
    queries: [
      {
        ...{ table: 'call', name: 'costs', operations: [{ operation: 'sum', column, alias: 'sum' }] },
        timeRange: { start: '2024-05-01T00:00:00.000Z', end: '2024-05-02T00:00:00.000Z' },
      },
    ],
  })
  const [answer] = await askAnalytics(db, queries, systemClock)
  expect(answer?.result).toEqual([{ sum }])
  await db.query('delete from voice_platform.calls where id = $1', [id])
})
