import { SAMPLE_RATE } from '@heyline/room-protocol'
import { z } from 'zod'
import { wavOf } from '../../audio/wav.js'
import type { Transcriber } from '../engine.js'
import { Exchange, type OpenAiOptions } from './exchange.js'

const DEFAULT_NAME = 'whisper-1'
const transcription = z.object({ text: z.string() })

/** `POST /audio/transcriptions` of an OpenAI-compatible server (OpenAI, faster-whisper, whisper.cpp): one WAV file an utterance. */
export function createOpenAiTranscriber(options: OpenAiOptions): Transcriber {
  return {
    name: 'openai transcriber',
    async transcribe(speech, { signal }) {
      const exchange = new Exchange('openai transcriber', options, signal)
      try {
        const form = new FormData()
        form.set('model', options.name ?? DEFAULT_NAME)
        form.set('response_format', 'json')
        const wav = wavOf({ samples: speech, sampleRate: SAMPLE_RATE })
        form.set('file', new Blob([wav], { type: 'audio/wav' }), 'speech.wav')
        const response = await exchange.post('/audio/transcriptions', form)
        const answer = transcription.safeParse(await exchange.json(response))
        if (!answer.success) throw exchange.error('the answer holds no text')
        const durationMs = Math.round((speech.length / SAMPLE_RATE) * 1000)
        return { text: answer.data.text.trim(), durationMs }
      } finally {
        exchange.close()
      }
    },
  }
}
