import { type Clock, systemClock } from '@heyline/kit/clock'
import { SAMPLE_RATE } from '@heyline/room-protocol'
import { Resampler } from '../../audio/resampler.js'
import type { Voice } from '../engine.js'
import { SamplePieces } from '../sample-pieces.js'
import { EngineRefusal, Exchange, type OpenAiOptions } from './exchange.js'

const NAME = 'openai voice'
const DEFAULT_NAME = 'tts-1'
const DEFAULT_VOICE = 'alloy'
/** Samples a second of `response_format: pcm`: PCM16 mono, little-endian, without a header. */
const SPEECH_RATE = 24_000

/** Answers of servers that do not know a voice: OpenAI's 400, FastAPI's 422, and 404. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 422])
/** How long a refused voice is not asked for again, in milliseconds: somebody may add it. And most of them that are kept. */
const REFUSED_MS = 600_000
const MOST_REFUSED = 100

export interface OpenAiVoiceOptions extends OpenAiOptions {
  /** The speaker of calls that name none, or one that the server refuses (`alloy`, `af_heart`). */
  voice?: string
}

/**
 * `POST /audio/speech` of an OpenAI-compatible server (OpenAI, Kokoro), played as it comes. Servers that answer with WAV or MP3 are refused.
 * A call's own speaker is asked for first. Where the server refuses it and takes the default one, the default speaks in every call for ten
 * minutes.
 */
export function createOpenAiVoice(options: OpenAiVoiceOptions, clock: Clock = systemClock): Voice {
  const defaultSpeaker = options.voice ?? DEFAULT_VOICE
  const refused = new Map<string, number>()
  const isRefused = (voiceId: string) => (refused.get(voiceId) ?? 0) > clock.monotonic()
  const refuse = (voiceId: string) => {
    if (refused.size >= MOST_REFUSED) refused.clear()
    refused.set(voiceId, clock.monotonic() + REFUSED_MS)
  }

  async function* speakAs(speaker: string, text: string, signal: AbortSignal): AsyncGenerator<Int16Array> {
    const exchange = new Exchange(NAME, options, signal)
    try {
      const response = await exchange.post('/audio/speech', {
        model: options.name ?? DEFAULT_NAME,
        voice: speaker,
        input: text,
        response_format: 'pcm',
      })
      const type = response.headers.get('content-type') ?? ''
      if (/json|text|mpeg|mp3|wav|ogg|opus|flac|aac/i.test(type))
        throw exchange.error(`the server answered with ${type.split(';')[0]} instead of PCM`)
      const resampler = new Resampler(SPEECH_RATE, SAMPLE_RATE)
      let isEmpty = true
      const pieces = new SamplePieces()
      for await (const bytes of exchange.bytes(response)) {
        const samples = pieces.read(bytes)
        if (samples.length === 0) continue
        isEmpty = false
        yield resampler.process(samples)
      }
      if (isEmpty) throw exchange.error('the server answered with no speech')
      yield resampler.flush()
    } finally {
      exchange.close()
    }
  }

  function withSpeaker(voiceId: string, onRefused: () => void): Voice {
    let isTold = false
    return {
      name: NAME,
      async *speak(text, { signal }) {
        if (!isRefused(voiceId))
          try {
            return yield* speakAs(voiceId, text, signal)
          } catch (error) {
            if (!(error instanceof EngineRefusal && REFUSALS.has(error.status))) throw error
          }
        for await (const samples of speakAs(defaultSpeaker, text, signal)) {
          if (!isTold) {
            isTold = true
            refuse(voiceId)
            onRefused()
          }
          yield samples
        }
      },
    }
  }

  const voice: Voice = {
    name: NAME,
    speak: (text, { signal }) => speakAs(defaultSpeaker, text, signal),
    withSpeaker: (voiceId, onRefused) =>
      voiceId === defaultSpeaker ? voice : withSpeaker(voiceId, onRefused),
  }
  return voice
}
