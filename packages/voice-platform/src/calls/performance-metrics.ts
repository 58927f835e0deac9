import type { SessionPerformance, TurnLatency } from '../session/session.js'

type Part = keyof TurnLatency

/** The platform's name of each average (https://docs.vapi.ai/whats-new/2025/8/9), in milliseconds. */
const AVERAGES: Record<Part, string> = {
  modelLatency: 'modelLatencyAverage',
  voiceLatency: 'voiceLatencyAverage',
  transcriberLatency: 'transcriberLatencyAverage',
  endpointingLatency: 'endpointingLatencyAverage',
  turnLatency: 'turnLatencyAverage',
}

/** `artifact.performanceMetrics`: each turn, and the average of every part that was measured at all. */
export function performanceMetrics(performance: SessionPerformance): Record<string, unknown> {
  const { turns, numAssistantInterrupted } = performance
  const parts = Object.keys(AVERAGES) as Part[]
  return {
    turnLatencies: turns,
    ...Object.fromEntries(parts.flatMap((part) => averageOf(part, turns))),
    ...(numAssistantInterrupted !== undefined && { numAssistantInterrupted }),
  }
}

function averageOf(part: Part, turns: readonly TurnLatency[]): [string, number][] {
  const measured = turns.flatMap((turn) => turn[part] ?? [])
  if (measured.length === 0) return []
  return [[AVERAGES[part], Math.round(measured.reduce((sum, ms) => sum + ms, 0) / measured.length)]]
}
