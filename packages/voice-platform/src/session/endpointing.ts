import { longestRuledSeconds, ruledSeconds } from './endpointing-rules.js'
import { LONGEST_SENTENCE_END, sentenceEndSeconds } from './sentence-ends.js'
import type { StartSpeaking } from './session.js'
import { START_SPEAKING } from './session.js'

/** Silence that ends a turn whose words do not help: they are not known, or have no full stops. */
const UNTOLD_SECONDS = 0.5

const FULL_STOP = /[.!?…。！？]["'”’»)\]]*$/u
const NUMBER = /\p{Nd}$/u

/** Says how much silence ends a turn of the caller, depending on its words. */
export class Endpointing {
  readonly #plan: StartSpeaking
  readonly #punctuates: boolean

  /** `punctuates` is false for a transcriber whose texts have no full stops. */
  constructor(plan: Partial<StartSpeaking> = {}, punctuates = true) {
    this.#plan = { ...START_SPEAKING, ...plan }
    this.#punctuates = punctuates
  }

  /** Milliseconds of silence that end a turn whose words nobody was asked for: no rule can hold. */
  get unaskedMs(): number {
    const { onPunctuationSeconds, onNoPunctuationSeconds, onNumberSeconds } = this.#plan
    return this.#ms(Math.max(onPunctuationSeconds, onNoPunctuationSeconds, onNumberSeconds, UNTOLD_SECONDS))
  }

  /** Milliseconds of silence that end a turn which the transcriber takes for finished. */
  get toldMs(): number {
    return this.#ms(this.#plan.onPunctuationSeconds)
  }

  /** Milliseconds of silence that end any turn, whose words are not known yet, after these words of the assistant. */
  longestMs(lastSaid = ''): number {
    const { rules = [], readsWords } = this.#plan
    const special = Math.max(readsWords ? LONGEST_SENTENCE_END : 0, longestRuledSeconds(rules, lastSaid))
    return Math.max(this.unaskedMs, this.#ms(special))
  }

  /** Milliseconds of silence that end a turn with these words; null if they are not known. */
  afterMs(words: string | null, lastSaid = ''): number {
    return this.#ms(this.#seconds(words?.trim() ?? null, lastSaid))
  }

  #seconds(words: string | null, lastSaid: string): number {
    const { rules = [], readsWords } = this.#plan
    // Nothing was said: a noise.
    if (words === '') return UNTOLD_SECONDS
    const ruled = ruledSeconds(rules, words, lastSaid)
    if (ruled !== undefined) return ruled
    if (words === null) return UNTOLD_SECONDS
    const special = readsWords ? sentenceEndSeconds(words) : undefined
    if (special !== undefined) return special
    if (FULL_STOP.test(words)) return this.#plan.onPunctuationSeconds
    if (NUMBER.test(words)) return this.#plan.onNumberSeconds
    return this.#punctuates ? this.#plan.onNoPunctuationSeconds : UNTOLD_SECONDS
  }

  #ms(seconds: number): number {
    return Math.max(seconds, this.#plan.waitSeconds) * 1000
  }
}
