import type { Conversation } from './job-queue.js'
import type { PoolJob, PoolWork } from './worker-pool.js'

/** Bytes of speech that are kept: some 17 minutes. */
const MOST_BYTES = 32 << 20

interface Phrase {
  work: PoolWork
  /** How many wait for it. */
  listeners: number
  /** 0 while the speech is being made. */
  bytes: number
}

/** Speech that somebody waits for. */
export interface PhraseRequest {
  /** The samples are shared: do not change them. */
  readonly speech: Promise<Int16Array>
  /** Stops waiting. Speech that nobody waits for is not begun; finished speech is kept. Idempotent. */
  leave(): void
}

/** Keeps speech by its text. The speech that was unused for longest goes first. A failed phrase is made again next time. */
export class PhraseCache {
  readonly #phrases = new Map<string, Phrase>()
  readonly #make: (text: string, options: PoolJob) => PoolWork
  readonly #mostBytes: number
  #bytes = 0

  constructor(make: (text: string, options: PoolJob) => PoolWork, mostBytes = MOST_BYTES) {
    this.#make = make
    this.#mostBytes = mostBytes
  }

  /** The speech of this text: kept, under way, or made now. It goes before speech that is only prepared. */
  ask(text: string, neededAt?: number, of?: Conversation): PhraseRequest {
    const phrase =
      this.#find(text) ?? this.#begin(text, { ahead: false, of, ...(neededAt !== undefined && { neededAt }) })
    phrase.work.hurry(neededAt, of)
    phrase.listeners += 1
    let isHere = true
    return {
      speech: phrase.work.speech,
      leave: () => {
        if (!isHere) return
        isHere = false
        phrase.listeners -= 1
        if (phrase.listeners === 0 && phrase.work.drop()) this.#forget(text, phrase)
      },
    }
  }

  /** Makes the speech of this text when there is nothing else to do. */
  prepare(text: string): void {
    if (!this.#find(text)) this.#begin(text, { ahead: true })
  }

  #find(text: string): Phrase | undefined {
    const phrase = this.#phrases.get(text)
    if (!phrase) return undefined
    this.#phrases.delete(text)
    this.#phrases.set(text, phrase)
    return phrase
  }

  #begin(text: string, options: PoolJob): Phrase {
    const phrase: Phrase = { work: this.#make(text, options), listeners: 0, bytes: 0 }
    this.#phrases.set(text, phrase)
    phrase.work.speech.then(
      (samples) => this.#keep(phrase, samples),
      // A failure is thrown where the speech is awaited, if it is.
      () => this.#forget(text, phrase),
    )
    return phrase
  }

  #forget(text: string, phrase: Phrase): void {
    if (this.#phrases.get(text) === phrase) this.#phrases.delete(text)
  }

  #keep(phrase: Phrase, samples: Int16Array): void {
    phrase.bytes = samples.byteLength
    this.#bytes += phrase.bytes
    for (const [text, { bytes }] of this.#phrases) {
      if (this.#bytes <= this.#mostBytes) return
      if (bytes === 0) continue
      this.#phrases.delete(text)
      this.#bytes -= bytes
    }
  }
}
