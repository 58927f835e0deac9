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

  /** Milliseconds of silence that end any turn, even one whose words are not known yet. */
  get longestMs(): number {
    const { onPunctuationSeconds, onNoPunctuationSeconds, onNumberSeconds } = this.#plan
    return this.#ms(Math.max(onPunctuationSeconds, onNoPunctuationSeconds, onNumberSeconds, UNTOLD_SECONDS))
  }

  /** Milliseconds of silence that end a turn which the transcriber takes for finished. */
  get toldMs(): number {
    return this.#ms(this.#plan.onPunctuationSeconds)
  }

  /** Milliseconds of silence that end a turn with these words; null if they are not known. */
  afterMs(words: string | null): number {
    return this.#ms(this.#seconds(words?.trim() ?? ''))
  }

  #seconds(words: string): number {
    if (words === '') return UNTOLD_SECONDS
    if (FULL_STOP.test(words)) return this.#plan.onPunctuationSeconds
    if (NUMBER.test(words)) return this.#plan.onNumberSeconds
    return this.#punctuates ? this.#plan.onNoPunctuationSeconds : UNTOLD_SECONDS
  }

  #ms(seconds: number): number {
    return Math.max(seconds, this.#plan.waitSeconds) * 1000
  }
}
