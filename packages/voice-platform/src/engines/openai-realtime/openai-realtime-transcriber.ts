import { SAMPLE_RATE } from '@heyline/room-protocol'
import type { Transcriber } from '../engine.js'
import { socketTranscriber } from '../socket/socket-transcriber.js'
import { headersOf, type SocketTranscriberOptions, socketUrl } from '../socket/transcription-wire.js'
import { OpenAiRealtimeWire } from './openai-realtime-wire.js'

const DEFAULT_NAME = 'gpt-4o-transcribe'

/** OpenAI's realtime transcription sessions, and servers that speak the same wire. */
export function createOpenAiRealtimeTranscriber({
  url,
  key,
  name = DEFAULT_NAME,
  silenceMs,
}: SocketTranscriberOptions): Transcriber {
  return socketTranscriber({
    engine: 'openai realtime transcriber',
    url: socketUrl(url, '/realtime', { intent: 'transcription' }),
    headers: headersOf('authorization', key && `Bearer ${key}`),
    silenceMs,
    wire: () => new OpenAiRealtimeWire(name, SAMPLE_RATE),
  })
}
