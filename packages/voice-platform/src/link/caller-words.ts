import type { Clock } from '@heyline/kit/clock'
import type { WordsWish } from '@heyline/room-protocol'
import { abortable } from '../work/abortable.js'

/** How long a turn that is over waits for words that may still come, in milliseconds: a phrase's last ones take about as long. */
const WAIT_MS = 700
/** Phrases that are kept: more than anybody says in the minute that a turn may last. */
const MOST_PHRASES = 60
/** Changes of one phrase's length that are kept, the last ones: more words than anybody says in a turn. */
const MOST_CHANGES = 400

/** One phrase as the recognition makes it out, word by word. */
interface Phrase {
  words: string[]
  isFinal: boolean
  /** How many words it had when, from the time on at which it had as many. */
  changes: { at: number; count: number }[]
}

/**
 * The words that the caller's own browser recognises in one call, as they come (`room.words`). They belong to the turn during
 * which they came: a phrase may go on over two turns of the caller, and each has the words that were added to it.
 */
export class CallerWords {
  /** What the client is asked for. */
  readonly wish: WordsWish
  readonly #clock: Clock
  readonly #waiting = new Set<() => void>()
  #phrases: Phrase[] = []
  #isListening = false

  constructor(clock: Clock, wish: WordsWish = {}) {
    this.#clock = clock
    this.wish = wish
  }

  /** The time of the clock by which words come, in milliseconds since the epoch. */
  now(): number {
    return this.#clock.now()
  }

  /** Something came: the phrase so far, or its end; without text, that the client listens, or that nothing more is to be expected. */
  take(text: string, isFinal: boolean): void {
    const words = text.match(/[^\s\p{Cc}\p{Cs}]+/gu) ?? []
    const last = this.#phrases.at(-1)
    this.#isListening = words.length > 0 || !isFinal
    if (words.length > 0) this.#grow(last && !last.isFinal ? last : this.#begin(), words, isFinal)
    // Whoever listens anew begins another phrase.
    else if (last) last.isFinal = true
    for (const wake of this.#waiting) wake()
  }

  /**
   * What was said since then (milliseconds since the epoch); null when no words came. Waits a little for words that may still
   * come, but not for a client that does not listen. Rejects only with the signal's reason.
   */
  async since(time: number, signal: AbortSignal): Promise<string | null> {
    let isTimeOver = false
    let wake = () => {}
    const woken = () => wake()
    const stop = this.#clock.after(WAIT_MS, () => {
      isTimeOver = true
      wake()
    })
    this.#waiting.add(woken)
    try {
      while (!isTimeOver && this.#mayGrow(time)) {
        const change = new Promise<void>((resolve) => {
          wake = resolve
        })
        await abortable(change, signal)
      }
    } finally {
      stop()
      this.#waiting.delete(woken)
    }
    return this.#textSince(time) || null
  }

  #begin(): Phrase {
    const phrase: Phrase = { words: [], isFinal: false, changes: [] }
    this.#phrases = [...this.#phrases, phrase].slice(-MOST_PHRASES)
    return phrase
  }

  #grow(phrase: Phrase, words: string[], isFinal: boolean): void {
    phrase.words = words
    phrase.isFinal = isFinal
    if (phrase.changes.at(-1)?.count === words.length) return
    phrase.changes.push({ at: this.#clock.now(), count: words.length })
    if (phrase.changes.length > MOST_CHANGES) phrase.changes.shift()
  }

  /** A phrase that is final needs no waiting. */
  #mayGrow(time: number): boolean {
    if (!this.#isListening) return false
    return this.#phrases.at(-1)?.isFinal !== true || this.#textSince(time) === ''
  }

  #textSince(time: number): string {
    return this.#phrases.flatMap((phrase) => wordsSince(phrase, time)).join(' ')
  }
}

/** What a phrase has beyond the words that it had before. */
function wordsSince({ words, changes }: Phrase, time: number): string[] {
  const before = changes.findLast(({ at }) => at < time)
  return words.slice(before?.count ?? 0)
}
