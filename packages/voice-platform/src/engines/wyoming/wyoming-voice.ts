import { SAMPLE_RATE, samplesOf } from '@heyline/room-protocol'
import { z } from 'zod'
import { Resampler } from '../../audio/resampler.js'
import { EngineError, type Voice } from '../engine.js'
import { wyomingBytes } from './wyoming-event.js'
import { type WyomingOptions, wyomingExchange } from './wyoming-exchange.js'

const format = z.object({
  rate: z.number().int().min(8000).max(48_000),
  width: z.literal(2),
  channels: z.literal(1),
})

/** A voice that speaks the Wyoming protocol (Piper, Kokoro). `name` is its speaker. */
export function createWyomingVoice(options: WyomingOptions): Voice {
  const engine = 'wyoming voice'
  return {
    name: engine,
    async *speak(text, { signal }) {
      const voice = options.name ? { voice: { name: options.name } } : {}
      let resampler: Resampler | undefined
      const events = wyomingExchange(engine, options, signal, (socket) => {
        socket.write(wyomingBytes('synthesize', { text, ...voice }))
      })
      for await (const { type, data, payload } of events) {
        if (type === 'error') throw new EngineError(engine, 'the server reports an error')
        if (type === 'audio-chunk') {
          const known = format.safeParse(data).data
          if (!known) throw new EngineError(engine, 'the server answered with another format than PCM16 mono')
          resampler ??= new Resampler(known.rate, SAMPLE_RATE)
          const samples = resampler.process(samplesOf(payload.subarray(0, payload.length & ~1)))
          if (samples.length > 0) yield samples
        } else if (type === 'audio-stop' && resampler) {
          yield resampler.flush()
          return
        }
      }
      throw new EngineError(engine, resampler ? 'the server broke off' : 'the server answered with no speech')
    },
  }
}
