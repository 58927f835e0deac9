import { SAMPLE_RATE } from '@heyline/room-protocol'
import { z } from 'zod'
import type { Voice } from '../engine.js'
import { socketVoice } from '../socket/socket-voice.js'
import type { SpeechSaid } from '../socket/speech-wire.js'
import { headersOf, type SocketTranscriberOptions, socketUrl } from '../socket/transcription-wire.js'

const DEFAULT_VOICE = 'aura-2-thalia-en'

export interface DeepgramVoiceOptions extends SocketTranscriberOptions {
  /** With Deepgram a model is a voice: this one, or else `name`. */
  voice?: string | undefined
}

const message = z.object({ type: z.string() })

/** Deepgram's speech over a socket (`/v1/speak`). */
export function createDeepgramVoice({ url, key, name, voice, silenceMs }: DeepgramVoiceOptions): Voice {
  const engine = 'deepgram voice'
  return socketVoice(
    engine,
    (speaker) => ({
      engine,
      url: socketUrl(url, '/v1/speak', {
        model: speaker,
        encoding: 'linear16',
        sample_rate: String(SAMPLE_RATE),
      }),
      headers: headersOf('authorization', key && `Token ${key}`),
      silenceMs,
      opening: [],
      goodbye: '{"type":"Close"}',
      speak: (text) => [JSON.stringify({ type: 'Speak', text }), '{"type":"Flush"}'],
      read(json): SpeechSaid[] {
        const type = message.safeParse(json).data?.type
        if (type === 'Flushed') return [{ type: 'spoken' }]
        if (type === 'Error') return [{ type: 'failed', message: 'the server reports an error' }]
        return []
      },
    }),
    voice ?? name ?? DEFAULT_VOICE,
  )
}
