import { SAMPLE_RATE, samplesOf } from '@heyline/room-protocol'
import { Resampler } from '../../audio/resampler.js'
import type { Voice } from '../engine.js'
import { Exchange, type OpenAiOptions } from './exchange.js'

const DEFAULT_NAME = 'tts-1'
const DEFAULT_VOICE = 'alloy'
/** Samples a second of `response_format: pcm`: PCM16 mono, little-endian, without a header. */
const SPEECH_RATE = 24_000

export interface OpenAiVoiceOptions extends OpenAiOptions {
  /** The speaker (`alloy`, `af_heart`). */
  voice?: string
}

/** `POST /audio/speech` of an OpenAI-compatible server (OpenAI, Kokoro), played as it comes. Servers that answer with WAV or MP3 are refused. */
export function createOpenAiVoice(options: OpenAiVoiceOptions): Voice {
  return {
    name: 'openai voice',
    async *speak(text, { signal }) {
      const exchange = new Exchange('openai voice', options, signal)
      try {
        const response = await exchange.post('/audio/speech', {
          model: options.name ?? DEFAULT_NAME,
          voice: options.voice ?? DEFAULT_VOICE,
          input: text,
          response_format: 'pcm',
        })
        const type = response.headers.get('content-type') ?? ''
        if (/json|text|mpeg|mp3|wav|ogg|opus|flac|aac/i.test(type))
          throw exchange.error(`the server answered with ${type.split(';')[0]} instead of PCM`)
        const resampler = new Resampler(SPEECH_RATE, SAMPLE_RATE)
        let isEmpty = true
        for await (const samples of samplesOfPieces(exchange.bytes(response))) {
          isEmpty = false
          yield resampler.process(samples)
        }
        if (isEmpty) throw exchange.error('the server answered with no speech')
        yield resampler.flush()
      } finally {
        exchange.close()
      }
    },
  }
}

/** PCM16 samples of bytes in pieces of any length. A piece may end between the two bytes of a sample. */
export async function* samplesOfPieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Int16Array> {
  let odd: number | undefined
  for await (const piece of pieces) {
    const bytes = odd === undefined ? piece : joined(odd, piece)
    odd = bytes.length % 2 === 1 ? bytes.at(-1) : undefined
    if (bytes.length > 1) yield samplesOf(bytes)
  }
}

function joined(first: number, rest: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(rest.length + 1)
  bytes[0] = first
  bytes.set(rest, 1)
  return bytes
}
