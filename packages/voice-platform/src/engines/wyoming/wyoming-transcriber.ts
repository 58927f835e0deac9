import type { Socket } from 'node:net'
import { bytesOf, SAMPLE_RATE } from '@heyline/room-protocol'
import { EngineError, type Transcriber } from '../engine.js'
import { wyomingBytes } from './wyoming-event.js'
import { type WyomingOptions, wyomingExchange } from './wyoming-exchange.js'

const FORMAT = { rate: SAMPLE_RATE, width: 2, channels: 1 }
/** Most bytes of an answer: no turn has as many words. */
const MOST_BYTES = 1_000_000
/** Samples of one chunk: 100 ms. */
const CHUNK = SAMPLE_RATE / 10

/** A transcriber that speaks the Wyoming protocol (faster-whisper, whisper.cpp, Vosk). It gets a turn at each pause. */
export function createWyomingTranscriber(options: WyomingOptions): Transcriber {
  const engine = 'wyoming transcriber'
  return {
    name: engine,
    async transcribe(speech, { signal }) {
      const send = (socket: Socket) => {
        socket.write(wyomingBytes('transcribe', options.name ? { name: options.name } : {}))
        socket.write(wyomingBytes('audio-start', FORMAT))
        for (let at = 0; at < speech.length; at += CHUNK)
          socket.write(wyomingBytes('audio-chunk', FORMAT, bytesOf(speech.subarray(at, at + CHUNK))))
        socket.write(wyomingBytes('audio-stop'))
      }
      for await (const { type, data } of wyomingExchange(engine, options, signal, send, MOST_BYTES)) {
        if (type === 'error') throw new EngineError(engine, 'the server reports an error')
        if (type !== 'transcript') continue
        if (typeof data.text !== 'string') break
        return { text: data.text.trim(), durationMs: Math.round((speech.length / SAMPLE_RATE) * 1000) }
      }
      throw new EngineError(engine, 'the answer holds no text')
    },
  }
}
