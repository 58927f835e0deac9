import type { Clock } from '@heyline/kit/clock'
import type { Engines } from '../engines/engine.js'
import { pause } from '../work/abortable.js'

/** Milliseconds until a transcript, a reply's first words, a speech's first sound. */
export interface Delays {
  transcriberMs: number
  modelMs: number
  voiceMs: number
}

/** These engines, each with a wait by this clock before its answer, which an abort ends. */
export function delayedEngines(engines: Engines, clock: Clock, delays: Delays): Engines {
  const { transcriber, model, voice } = engines
  async function* later<T>(ms: number, items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
    await pause(clock, ms, signal)
    yield* items
  }
  return {
    transcriber: {
      ...transcriber,
      async transcribe(speech, options) {
        const waited = pause(clock, delays.transcriberMs, options.signal)
        const [heard] = await Promise.all([transcriber.transcribe(speech, options), waited])
        return heard
      },
    },
    model: {
      ...model,
      reply: (messages, options) => later(delays.modelMs, model.reply(messages, options), options.signal),
    },
    voice: {
      ...voice,
      speak: (text, options) => later(delays.voiceMs, voice.speak(text, options), options.signal),
    },
  }
}
