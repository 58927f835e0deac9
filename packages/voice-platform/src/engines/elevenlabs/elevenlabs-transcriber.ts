import { bytesOf, SAMPLE_RATE } from '@heyline/room-protocol'
import { z } from 'zod'
import type { Transcriber } from '../engine.js'
import { socketTranscriber } from '../socket/socket-transcriber.js'
import {
  headersOf,
  type Said,
  type SocketTranscriberOptions,
  socketUrl,
  type TranscriptionWire,
} from '../socket/transcription-wire.js'

const DEFAULT_NAME = 'scribe_v2_realtime'
/** The least audio of a commit, in samples. A shorter rest is filled up with silence. */
const LEAST = 0.3 * SAMPLE_RATE

const message = z.object({ message_type: z.string(), text: z.string().optional() })

/** ElevenLabs' realtime transcription (`/v1/speech-to-text/realtime`). Audio is committed at each pause, by us. */
export function createElevenLabsTranscriber({
  url,
  key,
  name = DEFAULT_NAME,
  silenceMs,
}: SocketTranscriberOptions): Transcriber {
  return socketTranscriber({
    engine: 'elevenlabs transcriber',
    url: socketUrl(url, '/v1/speech-to-text/realtime', {
      model_id: name,
      audio_format: 'pcm_16000',
      commit_strategy: 'manual',
    }),
    headers: headersOf('xi-api-key', key && key),
    silenceMs,
    wire: elevenLabsWire,
  })
}

function elevenLabsWire(): TranscriptionWire {
  let commits = 0
  let committed = 0
  const chunk = (samples: Int16Array, commit: boolean) =>
    JSON.stringify({
      message_type: 'input_audio_chunk',
      audio_base_64: Buffer.from(bytesOf(samples)).toString('base64'),
      commit,
      sample_rate: SAMPLE_RATE,
    })
  return {
    opening: [],
    audio: (samples) => chunk(samples, false),
    flush: (samples) => {
      commits += 1
      return [chunk(new Int16Array(Math.max(0, LEAST - samples)), true)]
    },
    read: (json): Said[] => {
      const known = message.safeParse(json).data
      if (!known) return []
      const { message_type: type, text = '' } = known
      const key = String(committed)
      if (type === 'partial_transcript') return [{ type: 'words', key, text, isFinal: false }]
      if (type === 'committed_transcript') {
        committed += 1
        const said: Said = { type: 'words', key, text, isFinal: true }
        return committed >= commits ? [said, { type: 'flushed' }] : [said]
      }
      if (/(error|exceeded|limited|overflow|exhausted|throttled|unaccepted_terms)/.test(type))
        return [{ type: 'failed', message: `the server reports ${type.slice(0, 50)}` }]
      return []
    },
  }
}
