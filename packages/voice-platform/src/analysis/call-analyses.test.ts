import { ManualClock } from '@heyline/kit/manual-clock'
import type { AnalysisPlan } from '@heyline/platform-client'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { CallRow } from '../calls/call-row.js'
import { type EngineScript, ScriptedEngines } from '../testing/scripted-engines.js'
import { settled } from '../testing/session-bench.js'
import { CallAnalyses } from './call-analyses.js'

const line = (role: 'system' | 'user' | 'bot', message: string) => ({
  role,
  message,
  time: 0,
  secondsFromStart: 0,
})

function rowWith(analysisPlan?: AnalysisPlan, id = 'call'): CallRow {
  return {
    ...{
      id,
      org_id: 'org',
      type: 'webCall',
      status: 'ended',
      ended_reason: 'customer-ended-call',
      name: null,
    },
    ...{ assistant_id: null, assistant_given: null, overrides: null, phone_number_id: null, customer: null },
    assistant: { ...(analysisPlan && { analysisPlan }) },
    messages: [line('system', 'Sell tea.'), line('bot', 'Hello.'), line('user', 'Two cups, please.')],
    ...{
      carrier: null,
      carrier_call_id: null,
      transcript: '',
      performance: null,
      analysis: null,
      costs: null,
      forwarded_to: null,
    },
    ...{ started_at: new Date(0), ended_at: new Date(0), created_at: new Date(0), updated_at: new Date(0) },
  }
}

function bench(script: EngineScript = {}, modelName?: string) {
  const clock = new ManualClock()
  const engines = new ScriptedEngines(script)
  const stored: unknown[] = []
  const warnings: { msg: string }[] = []
  const logger = pino({ level: 'warn' }, { write: (text: string) => void warnings.push(JSON.parse(text)) })
  const analyses = new CallAnalyses({
    model: modelName === undefined ? engines.model : { ...engines.model, name: modelName },
    store: {
      analysed: async (id, analysis) => {
        stored.push(analysis)
        return { ...rowWith(), id, analysis }
      },
    },
    clock,
    logger,
  })
  return { analyses, clock, engines, stored, warnings }
}

const none = { summaryPlan: { enabled: false }, successEvaluationPlan: { enabled: false } }
const schema = {
  type: 'object' as const,
  required: ['cups'],
  properties: { cups: { type: 'integer' as const } },
}

describe('CallAnalyses', () => {
  it('sums a call up and judges it, where its assistant has a plan', async () => {
    const { analyses, engines, stored } = bench({ replies: [[' Two cups ', 'were ordered.'], ['True.']] })
    const row = await analyses.of(rowWith({}))
    expect(row?.analysis).toEqual({ summary: 'Two cups were ordered.', successEvaluation: 'true' })
    expect(stored).toEqual([row?.analysis])
    const [summary, success] = engines.asked
    expect(summary?.messages[1]?.content).toContain('AI: Hello.\nUser: Two cups, please.')
    expect(success?.messages[0]?.content).toContain('Sell tea.')
    expect(summary?.options).toMatchObject({ maxTokens: 500, temperature: 0 })
  })

  it.each([
    ['no plan', rowWith(), undefined],
    ['too few messages', rowWith({ minMessagesThreshold: 3 }), undefined],
    ['a plan that asks nothing', rowWith(none), undefined],
    ['the offline model', rowWith({}), 'offline model'],
    ['a call without words', { ...rowWith({ minMessagesThreshold: 0 }), messages: [] }, undefined],
  ])('asks nobody with %s', (_, row, model) => {
    const { analyses, engines } = bench({}, model)
    expect(analyses.of(row)).toBeUndefined()
    expect(engines.asked).toEqual([])
  })

  it('stores no character that a database refuses, whatever the model writes', async () => {
    const { analyses } = bench({ replies: [[`a\0${'b'.repeat(3_998)}😀`], ['true']] })
    const row = await analyses.of(rowWith({}))
    expect(row?.analysis?.summary).toBe(`a${'b'.repeat(3_998)}`)
  })

  it('reads data by its schema, and leaves out what does not fit', async () => {
    const plan = {
      ...none,
      structuredDataPlan: { enabled: true, schema },
      structuredDataMultiPlan: [
        { key: 'order', plan: { schema } },
        { key: 'wrong', plan: { schema } },
        { key: 'free', plan: {} },
      ],
    }
    const replies = [['{"cups": 2}'], ['```{"cups": 2}```'], ['{"cups": "two"}'], ['{"any": 1}']]
    const { analyses, engines, warnings } = bench({ replies })
    const row = await analyses.of(rowWith(plan))
    expect(row?.analysis).toEqual({
      structuredData: { cups: 2 },
      structuredDataMulti: [{ order: { cups: 2 } }, { free: { any: 1 } }],
    })
    expect(engines.asked[0]?.messages[0]?.content).toContain(JSON.stringify(schema))
    expect(warnings).toMatchObject([{ step: 'structuredDataMulti.wrong' }])
  })

  it.each([
    ['NumericScale', 'I give it 8.', '8'],
    ['NumericScale', 'eleven', undefined],
    ['DescriptiveScale', 'good', 'Good'],
    ['PercentageScale', '85 %', '85%'],
    ['PercentageScale', '850', undefined],
    ['LikertScale', 'Strongly disagree', 'Strongly Disagree'],
    ['Checklist', '- greeted: yes', '- greeted: yes'],
    ['Matrix', 'greeting: Good', 'greeting: Good'],
    ['AutomaticRubric', 'sold: yes', 'sold: yes'],
    ['PassFail', 'fail', 'false'],
    ['my own scale', 'so-so', 'so-so'],
  ])('judges by %s: %s', async (rubric, answer, found) => {
    const { analyses } = bench({ replies: [[answer]] })
    const plan = { ...none, successEvaluationPlan: { rubric } }
    expect((await analyses.of(rowWith(plan)))?.analysis?.successEvaluation).toBe(found)
  })

  it('asks in the words of the plan, with the values filled in', async () => {
    const { analyses, engines } = bench()
    const messages = [{ role: 'user' as const, content: 'Why {{endedReason}}? {{transcript | size}}' }]
    await analyses.of(rowWith({ ...none, summaryPlan: { messages } }))
    expect(engines.asked[0]?.messages).toEqual([{ role: 'user', content: 'Why customer-ended-call? 34' }])
  })

  it('gives a step up after its time, and whoever asks waits no longer than 20 s', async () => {
    const { analyses, clock, warnings } = bench({ replies: ['hang'] })
    const slow = { ...none, summaryPlan: { timeoutSeconds: 60 } }
    const asked = analyses.of(rowWith(slow))
    await settled()
    clock.advance(20_000)
    expect((await asked)?.analysis).toBeNull()
    clock.advance(40_000)
    await settled()
    expect(warnings).toMatchObject([{ step: 'summary' }])
    expect(clock.pending).toBe(0)
  })

  it('analyses two at a time, lets fifty wait, and leaves out the others', async () => {
    const { analyses, engines, warnings, clock } = bench({ replies: ['hang'] })
    const asked = Array.from({ length: 53 }, (_, n) =>
      analyses.of(rowWith({ ...none, summaryPlan: {} }, `call ${n}`)),
    )
    await settled()
    expect(engines.asked).toHaveLength(2)
    expect(asked.filter((one) => one === undefined)).toHaveLength(1)
    expect(warnings).toMatchObject([
      { callId: 'call 52', msg: 'a call is not analysed: too many wait for it' },
    ])
    analyses.close()
    const rows = await Promise.all(asked)
    expect(rows.filter((row) => row?.analysis === null)).toHaveLength(52)
    await settled()
    expect(clock.pending).toBe(0)
  })

  it('lets phone calls wait for no browser calls, which anybody may begin', async () => {
    const { analyses, engines, clock } = bench({ replies: ['hang'] })
    const plan = { ...none, summaryPlan: {} }
    for (let n = 0; n < 60; n += 1) void analyses.of(rowWith(plan, `browser call ${n}`))
    const phone = { ...rowWith(plan, 'phone call'), type: 'outboundPhoneCall' as const }
    const asked = analyses.of({ ...phone, messages: [line('bot', 'Hello.'), line('user', 'A phone here.')] })
    await settled()
    expect(asked).toBeDefined()
    expect(engines.asked).toHaveLength(3)
    expect(engines.asked[2]?.messages[1]?.content).toContain('A phone here.')
    analyses.close()
    await asked
    await settled()
    expect(clock.pending).toBe(0)
  })

  it('leaves out what fails, and keeps the rest', async () => {
    const { analyses } = bench({ replies: [new Error('away'), ['yes']] })
    expect((await analyses.of(rowWith({})))?.analysis).toEqual({ successEvaluation: 'true' })
  })
})
