import type { TranscriptionEvents, WaitingTranscription } from '../engine.js'
import { SocketStream } from './socket-stream.js'
import type { SocketKind } from './transcription-wire.js'

/** How often a server is told that we are still there, in milliseconds: Deepgram hangs up after ten seconds. */
const SIGN_MS = 4_000

/** A connection that is open before its turn begins. */
export function waitingStream(kind: SocketKind): WaitingTranscription {
  const stream = new SocketStream(kind, { onPartial() {}, onPause() {}, onEndOfTurn() {} })
  const timer = setInterval(() => stream.stay(), SIGN_MS)
  return {
    listen(events: TranscriptionEvents) {
      clearInterval(timer)
      if (!stream.isUsable) return undefined
      stream.listen(events)
      return stream
    },
    close() {
      clearInterval(timer)
      stream.close()
    },
  }
}
