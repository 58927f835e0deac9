import { bytesOf, SAMPLE_RATE } from '@heyline/room-protocol'
import { z } from 'zod'
import type { Transcriber } from '../engine.js'
import { firstOf } from '../first-of.js'
import { socketTranscriber } from '../socket/socket-transcriber.js'
import {
  headersOf,
  type Said,
  type SocketTranscriberOptions,
  socketUrl,
  type TranscriptionWire,
} from '../socket/transcription-wire.js'

const DEFAULT_NAME = 'nova-3'
/** Silence after which Deepgram says that speech is final, and after which a turn, in milliseconds. It takes 1,000 at least for the latter. */
const ENDPOINTING_MS = 100
const UTTERANCE_END_MS = 1000

const message = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('Results'),
    start: z.number(),
    duration: z.number(),
    is_final: z.boolean().default(false),
    speech_final: z.boolean().default(false),
    channel: z.object({ alternatives: firstOf(z.object({ transcript: z.string() })) }),
  }),
  z.object({ type: z.literal('UtteranceEnd') }),
  z.object({ type: z.literal('Error') }),
])

/** Deepgram's live transcription (`/v1/listen`), and servers that speak the same wire. */
export function createDeepgramTranscriber({
  url,
  key,
  name = DEFAULT_NAME,
  silenceMs,
}: SocketTranscriberOptions): Transcriber {
  return socketTranscriber({
    engine: 'deepgram transcriber',
    url: socketUrl(url, '/v1/listen', {
      model: name,
      encoding: 'linear16',
      sample_rate: String(SAMPLE_RATE),
      channels: '1',
      interim_results: 'true',
      smart_format: 'true',
      punctuate: 'true',
      endpointing: String(ENDPOINTING_MS),
      utterance_end_ms: String(UTTERANCE_END_MS),
      vad_events: 'true',
    }),
    headers: headersOf('authorization', key && `Token ${key}`),
    silenceMs,
    wire: deepgramWire,
  })
}

function deepgramWire(): TranscriptionWire {
  return {
    opening: [],
    goodbye: '{"type":"CloseStream"}',
    stay: '{"type":"KeepAlive"}',
    audio: bytesOf,
    flush: () => ['{"type":"Finalize"}'],
    read: (json) => {
      const known = message.safeParse(json).data
      return known ? saidBy(known) : []
    },
  }
}

function saidBy(known: z.output<typeof message>): Said[] {
  if (known.type === 'Error') return [{ type: 'failed', message: 'the server reports an error' }]
  if (known.type === 'UtteranceEnd') return [{ type: 'end-of-turn' }]
  const { start, duration, is_final: isFinal, speech_final: isPause } = known
  const text = known.channel.alternatives?.transcript ?? ''
  const said: Said[] = [{ type: 'words', key: start.toFixed(3), text, isFinal }]
  const samples = Math.round((start + duration) * SAMPLE_RATE)
  return isFinal ? [...said, { type: 'known', samples, isPause }] : said
}
