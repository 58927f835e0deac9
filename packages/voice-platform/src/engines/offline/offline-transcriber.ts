import { SAMPLE_RATE } from '@heyline/room-protocol'
import type { CallerWords } from '../../link/caller-words.js'
import type { Heard, Transcriber, TranscriberOptions } from '../engine.js'

/** Where nobody says when a turn began, it is reckoned back from now; a turn's last silence may be cut from its speech. */
const CUT_SILENCE_MS = 300

export interface OfflineTranscriberOptions {
  /** Ask clients for the words that their own speech recognition makes out. They may send the caller's voice elsewhere for it. */
  callerWords?: boolean
}

/**
 * Hears that somebody spoke and for how long, but not what: speech recognition needs a model of hundreds of megabytes,
 * which a fresh machine does not have. `text` is null but where the caller's own browser has told the words.
 */
export function createOfflineTranscriber({
  callerWords = false,
}: OfflineTranscriberOptions = {}): Transcriber {
  const transcriber: Transcriber = {
    name: 'offline transcriber',
    async transcribe(speech, { signal }) {
      signal.throwIfAborted()
      return { text: null, durationMs: durationOf(speech) }
    },
  }
  return callerWords ? { ...transcriber, withWords } : transcriber
}

function withWords(words: CallerWords): Transcriber {
  return {
    name: 'browser transcriber',
    punctuates: false,
    async transcribe(speech, { signal, startedAt }: TranscriberOptions): Promise<Heard> {
      signal.throwIfAborted()
      const durationMs = durationOf(speech)
      const start = startedAt ?? words.now() - durationMs - CUT_SILENCE_MS
      return { text: await words.since(start, signal), durationMs }
    },
  }
}

const durationOf = (speech: Int16Array) => Math.round((speech.length / SAMPLE_RATE) * 1000)
