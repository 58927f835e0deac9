/** Bytes of speech that are kept: some 17 minutes. */
const MOST_BYTES = 32 << 20

interface Phrase {
  speech: Promise<Int16Array>
  /** 0 as long as the speech is being made. */
  bytes: number
}

/** Keeps speech by its text; what was not used for longest goes first. A phrase that failed is made again next time. */
export class PhraseCache {
  readonly #phrases = new Map<string, Phrase>()
  readonly #make: (text: string) => Promise<Int16Array>
  readonly #mostBytes: number
  #bytes = 0

  constructor(make: (text: string) => Promise<Int16Array>, mostBytes = MOST_BYTES) {
    this.#make = make
    this.#mostBytes = mostBytes
  }

  /** The speech of this text: kept, on its way, or made now. The samples are shared: do not change them. */
  get(text: string): Promise<Int16Array> {
    const known = this.#phrases.get(text)
    if (known) {
      this.#phrases.delete(text)
      this.#phrases.set(text, known)
      return known.speech
    }
    const phrase: Phrase = { speech: this.#make(text), bytes: 0 }
    this.#phrases.set(text, phrase)
    phrase.speech.then(
      (samples) => this.#keep(phrase, samples),
      () => this.#phrases.delete(text),
    )
    return phrase.speech
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
