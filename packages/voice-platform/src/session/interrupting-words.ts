import type { StopSpeaking } from './session.js'
import { SpokenPhrases } from './spoken-phrases.js'

/** Says which words of the caller interrupt the assistant: enough of them, unless they only show that somebody listens. */
export class InterruptingWords {
  readonly #numWords: number
  readonly #acknowledgements: SpokenPhrases
  readonly #interruptions: SpokenPhrases

  constructor(numWords: number, plan: Partial<StopSpeaking> = {}) {
    this.#numWords = numWords
    this.#acknowledgements = new SpokenPhrases(plan.acknowledgementPhrases ?? [])
    this.#interruptions = new SpokenPhrases(plan.interruptionPhrases ?? [])
  }

  are(words: string): boolean {
    if (this.#interruptions.areIn(words)) return true
    return this.#areEnough(words) && !this.#acknowledgements.areAllOf(words)
  }

  #areEnough(words: string): boolean {
    return words.split(/\s+/).filter((word) => word !== '').length >= this.#numWords
  }
}
