import { describe, expect, it } from 'vitest'
import type { SessionMessage } from '../session/session.js'
import { resolvedArtifactPlan } from './artifact-plan.js'
import { performanceMetrics } from './call-view.js'
import { transcriptOf } from './transcript.js'

const DEFAULTS = {
  recordingEnabled: false,
  videoRecordingEnabled: false,
  pcapEnabled: false,
  loggingEnabled: false,
  fullMessageHistoryEnabled: false,
  transcriptPlan: { enabled: true, assistantName: 'AI', userName: 'User' },
}

describe('the artifact plan of a call', () => {
  it('has the platform’s defaults where the assistant says nothing', () => {
    expect(resolvedArtifactPlan({})).toEqual(DEFAULTS)
  })

  it('has the assistant’s own transcript plan, and promises no recording', () => {
    const artifactPlan = { videoRecordingEnabled: true, transcriptPlan: { userName: 'Caller' } }
    expect(resolvedArtifactPlan({ artifactPlan })).toEqual({
      ...DEFAULTS,
      transcriptPlan: { enabled: true, assistantName: 'AI', userName: 'Caller' },
    })
  })

  it.each([null, 'all', { transcriptPlan: 'short' }, { transcriptPlan: { enabled: 'yes', userName: 7 } }])(
    'is read out of %j, too',
    (plan) => {
      const { artifactPlan } = JSON.parse(JSON.stringify({ artifactPlan: plan }))
      expect(resolvedArtifactPlan({ artifactPlan })).toEqual(DEFAULTS)
    },
  )
})

describe('a transcript', () => {
  const said: SessionMessage[] = [
    { role: 'system', message: 'The prompt.', time: 0, secondsFromStart: 0 },
    { role: 'bot', message: 'Hello.', time: 0, secondsFromStart: 0 },
    { role: 'user', message: 'Hi.', time: 1, secondsFromStart: 1 },
  ]
  it('names who spoke as the plan says', () => {
    expect(transcriptOf(said)).toBe('AI: Hello.\nUser: Hi.')
    expect(transcriptOf(said, { assistantName: 'Baker', userName: 'Caller' })).toBe(
      'Baker: Hello.\nCaller: Hi.',
    )
  })

  it('is empty where the plan wants none', () => {
    expect(transcriptOf(said, { enabled: false })).toBe('')
  })
})

describe('performance metrics', () => {
  it('have every turn, and the averages of what was measured', () => {
    const turns = [
      { turnLatency: 800, endpointingLatency: 400, modelLatency: 250 },
      { turnLatency: 901, endpointingLatency: 300 },
    ]
    expect(performanceMetrics({ turns, numAssistantInterrupted: 2 })).toEqual({
      turnLatencies: turns,
      turnLatencyAverage: 851,
      endpointingLatencyAverage: 350,
      modelLatencyAverage: 250,
      numAssistantInterrupted: 2,
    })
  })

  it('have no averages of a call without turns', () => {
    expect(performanceMetrics({ turns: [] })).toEqual({ turnLatencies: [] })
  })
})
