import { describe, expect, it } from 'vitest'
import { EngineUsage } from '../engines/engine-usage.js'
import { ScriptedEngines } from '../testing/scripted-engines.js'
import { callCosts, costBreakdown, modelCost } from './call-costs.js'

const PRICES = {
  modelInputPerMillion: 1,
  modelOutputPerMillion: 4,
  transcriberPerMinute: 0.006,
  voicePerThousand: 0.015,
  platformPerMinute: 0.05,
}

describe('callCosts', () => {
  it('counts what the engines worked, by the prices', async () => {
    const { signal } = new AbortController()
    const usage = new EngineUsage()
    const scripted = new ScriptedEngines({ heard: [{ text: 'Hello.' }], replies: [['Very ', 'well.']] })
    const engines = usage.of({
      ...scripted,
      voice: { ...scripted.voice, withSpeaker: () => scripted.voice },
    })
    expect(engines.model.name).toBe('scripted model')
    await engines.transcriber.transcribe(new Int16Array(16_000 * 30), { signal })
    for await (const _ of engines.model.reply([{ role: 'user', content: 'x'.repeat(4_000) }], { signal }));
    for await (const _ of engines.voice.speak('x'.repeat(1_500), { signal }));
    const other = engines.voice.withSpeaker?.('other', () => {})
    for await (const _ of other?.speak('x'.repeat(500), { signal }) ?? []);
    const costs = callCosts(PRICES, usage, 90, { provider: 'openai', model: 'gpt-4o-mini' })
    expect(costs).toEqual([
      { type: 'transcriber', transcriber: {}, minutes: 0.5, cost: 0.003 },
      {
        ...{ type: 'model', model: { provider: 'openai', model: 'gpt-4o-mini' } },
        ...{ promptTokens: 1000, completionTokens: 3, cost: 0.001012, isEstimated: true },
      },
      { type: 'voice', voice: {}, characters: 2000, cost: 0.03 },
      { type: 'vapi', subType: 'normal', minutes: 1.5, cost: 0.075 },
    ])
    const analysis = modelCost(
      PRICES,
      {},
      {
        ...{ promptTokens: 90, completionTokens: 4 },
        ...{ modelRead: 40, modelWritten: 24 },
      },
    )
    const whole = [...costs, { type: 'analysis' as const, analysisType: 'summary' as const, ...analysis }]
    expect(costBreakdown(whole)).toMatchObject({
      ...{ stt: 0.003, llm: 0.001012, tts: 0.03, vapi: 0.075, total: 0.109152 },
      ...{ llmPromptTokens: 1000, llmCompletionTokens: 3, ttsCharacters: 2000 },
      analysisCostBreakdown: {
        summary: 0.00014,
        summaryPromptTokens: 100,
        summaryCompletionTokens: 10,
        structuredData: 0,
      },
    })
  })
})
