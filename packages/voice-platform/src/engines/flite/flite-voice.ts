import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { pathToFileURL } from 'node:url'
import { systemClock } from '@heyline/kit/clock'
import type { Logger } from 'pino'
import { abortable } from '../../work/abortable.js'
import type { Voice, VoiceOptions } from '../engine.js'
import { sentencesOf } from '../sentences.js'
import { cutLongSpeech, spokenWeight } from '../spoken-weight.js'
import type { Conversation } from './job-queue.js'
import { PhraseCache, type PhraseRequest } from './phrase-cache.js'
import { speakableText } from './speakable-text.js'
import { WorkerPool } from './worker-pool.js'

/** The most that one piece weighs, some 18 s of speech: a thread is busy with it for 100 ms, and flite's memory grows steeply with the length. */
const MOST_WEIGHT = 300
const MOST_THREADS = 4
/** Pieces that are prepared. The others are made while these are heard. */
const MOST_PREPARED = 2
/** How long a character of ordinary English is heard, in milliseconds: 150 words a minute. */
const CHARACTER_MS = 65
/** Characters that are searched for these pieces: more than they can have. */
const PREPARED_CHARACTERS = 2_000

/** A voice that can be prepared and must be closed. */
export interface FliteVoice extends Voice {
  /** Makes the first two pieces when no live speech waits. */
  prepare(text: string): void
  /** Ends its threads; speech that is being made rejects with an `EngineError`. Idempotent. */
  close(): Promise<void>
}

/**
 * The voice that every machine has: flite (CMU, BSD-like licence) in WebAssembly, in up to four worker threads. US English only.
 * Calls take turns. Sentences are spoken one by one and kept, so that a greeting is made once. An abort ends `speak` at once. A sentence that was begun is
 * finished for the cache; one that waits is not begun.
 */
export function createFliteVoice({ logger }: { logger: Logger }): FliteVoice {
  const script = createRequire(import.meta.url).resolve('@heyline/voice-platform/voice-worker')
  const size = Math.min(MOST_THREADS, availableParallelism())
  const pool = new WorkerPool({ script: pathToFileURL(script), size, logger })
  const phrases = new PhraseCache((text, options) => pool.run(text, options))
  pool.warm()

  /** Works one piece ahead of the listener. */
  async function* speak(
    text: string,
    { signal, neededInMs = 0 }: VoiceOptions,
    of: Conversation = {},
  ): AsyncIterable<Int16Array> {
    signal.throwIfAborted()
    const pieces = piecesOf(text)
    const asked: PhraseRequest[] = []
    let neededAt = systemClock.monotonic() + neededInMs
    const ask = (index: number) => {
      const piece = pieces[index]
      if (piece === undefined) return
      asked.push(phrases.ask(piece, neededAt, of))
      neededAt += CHARACTER_MS * spokenWeight(piece)
    }
    try {
      ask(0)
      for (let index = 0; index < pieces.length; index += 1) {
        ask(index + 1)
        const current = asked[index]
        if (current) yield await abortable(current.speech, signal)
      }
    } finally {
      for (const request of asked) request.leave()
    }
  }

  const prepare = (text: string) => {
    const beginning = piecesOf(text.slice(0, PREPARED_CHARACTERS)).slice(0, MOST_PREPARED)
    for (const piece of beginning) phrases.prepare(piece)
  }
  return {
    name: 'flite',
    speak: (text, options) => speak(text, options),
    prepare,
    forCall() {
      const call = {}
      return { name: 'flite', speak: (text, options) => speak(text, options, call), prepare }
    },
    close: () => pool.close(),
  }
}

const piecesOf = (text: string): string[] =>
  sentencesOf(speakableText(text)).flatMap((sentence) => cutLongSpeech(sentence, MOST_WEIGHT))
