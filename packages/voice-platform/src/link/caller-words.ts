import { type Clock, steadyClock } from '@heyline/kit/clock'
import type { WordsWish } from '@heyline/room-protocol'
import { abortable } from '../work/abortable.js'

/** How long a finished turn waits for its last words, in milliseconds. */
const WAIT_MS = 700
/** Most phrases that are kept. Nobody says as many in a turn, which lasts a minute at most. */
const MOST_PHRASES = 60
/** Most changes of a phrase's length that are kept; the oldest go first. Nobody says as many words in a turn. */
const MOST_CHANGES = 400

/** One phrase as the recognition makes it out, word by word. */
interface Phrase {
  words: string[]
  isFinal: boolean
  /** Each change of its length: how many words it had from this time on. */
  changes: { at: number; count: number }[]
}

/**
 * The words that the caller's own browser recognises in one call, as they come (`room.words`). A word belongs to the turn in which
 * it came. A phrase may span two turns: each turn has the words that were added during it.
 */
export class CallerWords {
  /** What the client is asked for. */
  readonly wish: WordsWish
  readonly #clock: Clock
  readonly #waiting = new Set<() => void>()
  #phrases: Phrase[] = []
  #isListening = false

  constructor(clock: Clock, wish: WordsWish = {}) {
    this.#clock = steadyClock(clock)
    this.wish = wish
  }

  /** The time of the clock by which words come, in milliseconds since the epoch. */
  now(): number {
    return this.#clock.now()
  }

  /** Takes a `room.words`: the phrase so far, or its end. Without text: the client listens (not final), or no more words will come (final). */
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
   * What was said since `time` (milliseconds since the epoch); null when no words came. Waits up to 0.7 s for the last words of a
   * client that listens. Rejects only with the signal's reason.
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
