import type { MeasuredTurn } from '@heyline/voice-platform'
import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api'

/**
 * Writes a turn down as a trace of its own, at the moment when the caller begins to hear the reply: from the caller's last sound, with
 * what its engines did. Nothing is traced before, because much of that work is dropped when the caller goes on.
 */
export function traceTurn({ latency, parts }: MeasuredTurn): void {
  if (latency.turnLatency === undefined) return
  const tracer = trace.getTracer('heyline')
  const now = Date.now()
  const endedAt = now - latency.turnLatency
  const turn = tracer.startSpan('turn', { startTime: endedAt, root: true }, ROOT_CONTEXT)
  const inTurn = trace.setSpan(context.active(), turn)
  for (const { part, afterMs, tookMs } of parts) {
    const startTime = endedAt + afterMs
    tracer.startSpan(`turn ${part}`, { startTime }, inTurn).end(startTime + tookMs)
  }
  turn.end(now)
}
