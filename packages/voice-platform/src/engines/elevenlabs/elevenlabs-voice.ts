import { SAMPLE_RATE } from '@heyline/room-protocol'
import { z } from 'zod'
import type { Voice } from '../engine.js'
import { socketVoice } from '../socket/socket-voice.js'
import type { SpeechKind, SpeechSaid } from '../socket/speech-wire.js'
import { headersOf, type SocketTranscriberOptions, socketUrl } from '../socket/transcription-wire.js'

const DEFAULT_NAME = 'eleven_flash_v2_5'
/** “Rachel”, which every account has. */
const DEFAULT_VOICE = '21m00Tcm4TlvDq8ikWAM'

export interface ElevenLabsVoiceOptions extends SocketTranscriberOptions {
  voice?: string | undefined
}

const message = z.object({
  audio: z.string().nullish(),
  isFinal: z.boolean().nullish(),
  is_final: z.boolean().nullish(),
  contextId: z.string().nullish(),
  error: z.string().nullish(),
})

/** ElevenLabs' speech over a socket with one context for each sentence (`…/multi-stream-input`), so that the socket stays open. */
export function createElevenLabsVoice({
  url,
  key,
  name = DEFAULT_NAME,
  silenceMs,
  voice = DEFAULT_VOICE,
}: ElevenLabsVoiceOptions): Voice {
  const engine = 'elevenlabs voice'
  return socketVoice(
    engine,
    (speaker) => ({
      engine,
      url: socketUrl(url, `/v1/text-to-speech/${encodeURIComponent(speaker)}/multi-stream-input`, {
        model_id: name,
        output_format: `pcm_${SAMPLE_RATE}`,
        inactivity_timeout: '60',
        auto_mode: 'true',
      }),
      headers: headersOf('xi-api-key', key && key),
      silenceMs,
      opening: [],
      goodbye: '{"close_socket":true}',
      ...contexts(),
    }),
    voice,
  )
}

/** The sentences of one socket. What comes late, of a context before, is not heard. */
function contexts(): Pick<SpeechKind, 'speak' | 'read'> {
  let count = 0
  const id = () => `sentence-${count}`
  return {
    speak(text) {
      count += 1
      const context_id = id()
      return [
        JSON.stringify({ text: ' ', context_id }),
        JSON.stringify({ text: `${text} `, context_id, flush: true }),
        JSON.stringify({ context_id, close_context: true }),
      ]
    },
    read(json): SpeechSaid[] {
      const known = message.safeParse(json).data
      if (!known) return []
      if (known.error) return [{ type: 'failed', message: `the server reports ${errorWord(known.error)}` }]
      if (known.contextId && known.contextId !== id()) return []
      const said: SpeechSaid[] = known.audio
        ? [{ type: 'audio', bytes: Buffer.from(known.audio, 'base64') }]
        : []
      return known.isFinal || known.is_final ? [...said, { type: 'spoken' }] : said
    },
  }
}

/** Codes only: sentences may hold keys, or what was said. */
const errorWord = (text: string) => (/^[a-z_]{2,50}$/.test(text) ? text : 'an error')
