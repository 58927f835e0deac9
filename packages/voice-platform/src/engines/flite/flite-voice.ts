import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { pathToFileURL } from 'node:url'
import type { Logger } from 'pino'
import { abortable } from '../abortable.js'
import type { EngineOptions, Voice } from '../engine.js'
import { cutLongText, sentencesOf } from '../sentences.js'
import { PhraseCache } from './phrase-cache.js'
import { speakableText } from './speakable-text.js'
import { WorkerPool } from './worker-pool.js'

/** Most characters of one piece: flite's memory grows steeply with the length of a text. */
const MOST_CHARACTERS = 300
const MOST_THREADS = 2

/** A voice that can be prepared and must be closed. */
export interface FliteVoice extends Voice {
  prepare(text: string): void
  /** Ends its threads; speech that is being made rejects with an `EngineError`. Idempotent. */
  close(): Promise<void>
}

/**
 * The voice that every machine has: flite (CMU, BSD-like licence) in WebAssembly, in up to two worker threads.
 * US English only; sentences are spoken one by one, and kept, so that a greeting is made once.
 * An abort ends `speak` at once; a sentence already begun is still finished for the cache.
 */
export function createFliteVoice({ logger }: { logger: Logger }): FliteVoice {
  const script = createRequire(import.meta.url).resolve('@heyline/voice-platform/voice-worker')
  const size = Math.min(MOST_THREADS, availableParallelism())
  const pool = new WorkerPool({ script: pathToFileURL(script), size, logger })
  const phrases = new PhraseCache((text) => pool.run(text))
  pool.warm()

  /** One piece ahead of the listener, so that the next is ready when this one was taken. */
  async function* speak(text: string, { signal }: EngineOptions): AsyncIterable<Int16Array> {
    const pieces = piecesOf(text)
    let next = request(pieces[0])
    for (let index = 0; index < pieces.length; index += 1) {
      const current = next
      next = request(pieces[index + 1])
      yield await abortable(current, signal)
    }
  }

  /** A failure is thrown where the speech is awaited, which an abort may keep from happening. */
  function request(piece: string | undefined): Promise<Int16Array> {
    const speech = piece === undefined ? Promise.resolve(new Int16Array(0)) : phrases.get(piece)
    speech.catch(() => {})
    return speech
  }

  return {
    name: 'flite',
    speak,
    prepare: (text) => {
      for (const piece of piecesOf(text)) void request(piece)
    },
    close: () => pool.close(),
  }
}

const piecesOf = (text: string): string[] =>
  sentencesOf(speakableText(text)).flatMap((sentence) => cutLongText(sentence, MOST_CHARACTERS))
