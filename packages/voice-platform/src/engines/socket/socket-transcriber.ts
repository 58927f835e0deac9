import { SAMPLE_RATE } from '@heyline/room-protocol'
import type { Transcriber } from '../engine.js'
import { SocketStream } from './socket-stream.js'
import type { SocketKind } from './transcription-wire.js'
import { waitingStream } from './waiting-stream.js'

/** Samples of one message where a whole turn is sent at once: 100 ms. */
const PIECE = SAMPLE_RATE / 10
/** Silence behind it, so that no word stands at the very end: 200 ms. */
const REST = SAMPLE_RATE / 5
const NOBODY = { onPartial() {}, onPause() {}, onEndOfTurn() {} }

/** A transcriber over a socket. A whole turn goes over a socket of its own, too. */
export function socketTranscriber(kind: SocketKind): Transcriber {
  return {
    name: kind.engine,
    open: (events) => new SocketStream(kind, events),
    openAhead: () => waitingStream(kind),
    async transcribe(speech, { signal }) {
      signal.throwIfAborted()
      const stream = new SocketStream(kind, NOBODY)
      try {
        for (let at = 0; at < speech.length; at += PIECE) stream.write(speech.subarray(at, at + PIECE))
        stream.write(new Int16Array(REST))
        const text = await stream.settle({ signal })
        return { text, durationMs: Math.round((speech.length / SAMPLE_RATE) * 1000) }
      } finally {
        stream.close()
      }
    },
  }
}
