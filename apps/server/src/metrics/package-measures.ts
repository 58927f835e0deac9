import type { DeskMeasures } from '@heyline/call-desk'
import type { PlatformMeasures } from '@heyline/voice-platform'
import { traceTurn } from '../tracing/trace-turn.js'
import type { Metrics } from './metrics.js'

/** What the desk tells the metrics. */
export const deskMeasures = (metrics: Metrics): DeskMeasures => ({
  refused: (kind, direction, refusal) => metrics.refused(kind, direction, refusal),
})

/** What the platform tells the metrics. */
export const platformMeasures = (metrics: Metrics): PlatformMeasures => ({
  turn(turn) {
    traceTurn(turn)
    const { latency } = turn
    metrics.turn('endpointing', latency.endpointingLatency)
    metrics.turn('transcriber', latency.transcriberLatency)
    metrics.turn('model', latency.modelLatency)
    metrics.turn('voice', latency.voiceLatency)
    metrics.turn('first_sound', latency.turnLatency)
  },
  openedAhead: (result) => metrics.openedAhead(result),
  conversationEnded: (type, endedReason) =>
    metrics.conversationEnded(
      type === 'webCall' ? 'web' : 'phone',
      type === 'inboundPhoneCall' ? 'in' : 'out',
      endedReason,
    ),
})
