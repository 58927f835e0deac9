import { SAMPLE_RATE } from '@heyline/room-protocol'
import type { Heard, Transcriber } from './engine.js'

/**
 * Hears that somebody spoke and for how long, but not what: speech recognition needs a model of hundreds of megabytes,
 * which a fresh machine does not have. `text` is always null.
 */
export function createOfflineTranscriber(): Transcriber {
  return {
    name: 'offline transcriber',
    async transcribe(speech, { signal }): Promise<Heard> {
      signal.throwIfAborted()
      return { text: null, durationMs: Math.round((speech.length / SAMPLE_RATE) * 1000) }
    },
  }
}
