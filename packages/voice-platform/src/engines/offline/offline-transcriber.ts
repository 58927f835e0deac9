import { SAMPLE_RATE } from '@heyline/room-protocol'
import type { CallerWords } from '../../link/caller-words.js'
import type { Heard, Transcriber, TranscriberOptions } from '../engine.js'

/** Silence that may have been cut from the end of a turn. Counted when the beginning of a turn is reckoned back from now. */
const CUT_SILENCE_MS = 300

/** Characters that a client may say were spoken: so many each second, and at once. Nobody speaks faster, and a call's record has all of them. */
const SPOKEN = { perSecond: 40, atOnce: 100 }

export interface OfflineTranscriberOptions {
  /** Ask clients for the words of their own speech recognition. A browser may send the caller's voice to its maker for it. */
  callerWords?: boolean
}

/**
 * Hears that somebody spoke and for how long, but not what. Speech recognition needs a model of hundreds of megabytes, which a fresh
 * machine does not have. `text` is null, except where the caller's own browser sends the words.
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
      const text = await words.since(start, signal)
      const most = SPOKEN.atOnce + (SPOKEN.perSecond * durationMs) / 1000
      return { text: text === null ? null : cut(text, most), durationMs }
    },
  }
}

/** The beginning of a text, without half a character at its end: no database stores that. */
const cut = (text: string, most: number) => text.slice(0, most).replace(/\p{Surrogate}$/u, '')

const durationOf = (speech: Int16Array) => Math.round((speech.length / SAMPLE_RATE) * 1000)
