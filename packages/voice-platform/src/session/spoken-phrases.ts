/** Words in the order of a text, in small letters and without punctuation: `Don't!` is `dont`, `mm-hm` is `mmhm`. */
const spokenWords = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/[^\p{L}\p{N}]/gu, ''))
    .filter((word) => word !== '')

/** Phrases that are looked for in what somebody says: whole words, in any case and with any punctuation. */
export class SpokenPhrases {
  /** The words of each phrase, the longest first. */
  readonly #phrases: readonly string[][]

  constructor(phrases: readonly string[]) {
    this.#phrases = phrases
      .map(spokenWords)
      .filter((words) => words.length > 0)
      .sort((one, other) => other.length - one.length)
  }

  /** Somebody says one of them, maybe among other words. */
  areIn(text: string): boolean {
    const words = spokenWords(text)
    return words.some((_, at) => this.#at(words, at) > 0)
  }

  /** Somebody says these phrases and nothing else. */
  areAllOf(text: string): boolean {
    const words = spokenWords(text)
    let at = 0
    while (at < words.length) {
      const length = this.#at(words, at)
      if (length === 0) return false
      at += length
    }
    return words.length > 0
  }

  /** Words of the longest phrase that begins here; 0 where none does. */
  #at(words: readonly string[], at: number): number {
    return this.#phrases.find((phrase) => phrase.every((word, n) => words[at + n] === word))?.length ?? 0
  }
}
